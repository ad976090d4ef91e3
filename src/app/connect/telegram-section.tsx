import { useState } from 'react';
import { type HookEvent, hookEvents } from '../../../contract/hook.ts';
import type { QuietHours, TelegramState } from '../../../contract/telegram.ts';
import { useObserved } from '../../state/use-observed.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { CheckList } from '../../ui/controls/fields/check-list.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { Switch } from '../../ui/controls/fields/switch.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import styles from '../api-list/api-list.module.css';
import { StoreProblem } from '../api-list/store-problem.tsx';
import { useApiList } from '../api-list/use-api-list.ts';
import { CopyButton } from '../workspace/marks/copy-button.tsx';
import type { SectionProps } from './connect-window.tsx';
import { type EventList, TelegramStore } from './telegram-store.ts';

/** The chat that tells a person of the project's events, and where questions are answered. K7.10 */
export function TelegramSection({ projectId, apiBase }: SectionProps) {
  const { t } = useTranslation('connect');
  const store = useApiList(apiBase, (api) => new TelegramStore(api, projectId));
  const { status, problem, telegram } = useObserved(store, store.get);
  if (status === 'loading') return <Loading text={t('common:loading')} className={styles.note} />;
  return (
    <div className={styles.parts} data-testid="telegram">
      <p className={styles.note}>{t('telegram.lead')}</p>
      <StoreProblem {...{ status, problem }} className={styles.problem} retry={t('words:repeat')} onRetry={() => void store.load()} />
      {status === 'ready' && !telegram.hasBot && <p className={styles.note}>{t('telegram.noBot')}</p>}
      <Troubles telegram={telegram} />
      {status === 'ready' && telegram.hasBot && <Binding store={store} />}
      {telegram.chat && <Wishes telegram={telegram} store={store} />}
    </div>
  );
}

/** What is wrong with the bot, and what did not reach the chat. */
function Troubles({ telegram: { problem, chat } }: { telegram: TelegramState }) {
  const { t } = useTranslation('connect');
  const moment = useMomentText();
  return (
    <>
      {problem && (
        <p className={styles.problem} data-testid="telegram-problem">
          {t(`telegram.problem.${problem.kind}`, { at: moment(problem.since) })}
        </p>
      )}
      {chat?.lostAt && <p className={styles.warning}>{t('telegram.lost', { at: moment(chat.lostAt) })}</p>}
    </>
  );
}

/** Whose chat is bound, or the link that binds one. */
function Binding({ store }: { store: TelegramStore }) {
  const { t, language } = useTranslation('connect');
  const { telegram, link, isBusy } = useObserved(store, store.get);
  const { chat } = telegram;
  // The button that unbinds goes with its chat; the next one takes its focus.
  const [wasBound, setWasBound] = useState(false);
  const unbind = () => {
    setWasBound(true);
    void store.unbind();
  };
  const time = (at: string) => new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(at));
  return (
    <>
      {chat && (
        <div className={styles.head}>
          <p role="status">
            {t('telegram.bound')} <bdi className={styles.name}>{chat.name}</bdi>
          </p>
          <Button size="s" busy={isBusy} onClick={unbind}>
            {t('words:disconnect')}
          </Button>
        </div>
      )}
      {chat?.blockedAt && <p className={styles.problem}>{t('telegram.blocked')}</p>}
      {(!chat || chat.blockedAt) && (
        <div>
          <Button autoFocus={wasBound} variant="primary" busy={isBusy} onClick={() => void store.connect()}>
            {t(link ? 'words:makeNewLink' : 'telegram.connect')}
          </Button>
        </div>
      )}
      {link && (
        <section className={styles.created} aria-label={t('telegram.link')}>
          <p role="status">{t('telegram.follow', { at: time(link.expiresAt) })}</p>
          <div className={styles.copied}>
            <a href={link.url} target="_blank" rel="noreferrer" data-testid="telegram-link">
              {link.url}
            </a>
            <CopyButton text={link.url} label={t('words:copyLink')} done={t('common:copied')} />
          </div>
        </section>
      )}
    </>
  );
}

const usualQuiet = { from: 22, to: 8 };
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }));

/** Which events of the project the chat is told, when it is quiet, and what comes then too. */
function Wishes({ telegram: { events, urgent, quiet }, store }: { telegram: TelegramState; store: TelegramStore }) {
  const { t } = useTranslation('connect');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const setQuiet = (next: QuietHours | null) => void store.change(() => ({ quiet: next }));
  return (
    <>
      <EventChoices list="events" of={hookEvents} chosen={events} store={store} />
      <Switch
        label={t('telegram.quiet')}
        checked={quiet !== null}
        onChange={(isOn) => setQuiet(isOn ? { ...usualQuiet, timeZone: zone } : null)}
      />
      {quiet && (
        <>
          <div className={styles.pair}>
            <Select
              label={t('telegram.from')}
              value={String(quiet.from)}
              options={hours}
              onChange={(from) => setQuiet({ ...quiet, from: Number(from), timeZone: zone })}
            />
            <Select
              label={t('telegram.to')}
              value={String(quiet.to)}
              options={hours}
              onChange={(to) => setQuiet({ ...quiet, to: Number(to), timeZone: zone })}
            />
          </div>
          {events.length > 0 && <EventChoices list="urgent" of={events} chosen={urgent} store={store} />}
          <p className={styles.note}>{t('telegram.quietHint', { zone: quiet.timeZone })}</p>
        </>
      )}
    </>
  );
}

type EventChoicesProps = { list: EventList; of: readonly HookEvent[]; chosen: readonly HookEvent[]; store: TelegramStore };

function EventChoices({ list, of, chosen, store }: EventChoicesProps) {
  const { t } = useTranslation('connect');
  return (
    <CheckList
      legend={t(`telegram.${list}`)}
      options={of.map((value) => ({ value, label: t(`event.${value}`) }))}
      chosen={chosen}
      onToggle={(event, isOn) => void store.toggle(list, event, isOn)}
    />
  );
}
