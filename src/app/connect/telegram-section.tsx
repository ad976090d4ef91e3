import { useState } from 'react';
import { type HookEvent, hookEvents } from '../../../contract/hook.ts';
import type { QuietHours, TelegramState } from '../../../contract/telegram.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { CheckList } from '../../ui/controls/fields/check-list.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { Switch } from '../../ui/controls/fields/switch.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import styles from '../api-list/api-list.module.css';
import { ReadProblem } from '../server-data/read-problem.tsx';
import { CopyButton } from '../workspace/marks/copy-button.tsx';
import { type EventList, type Telegram, useTelegram } from './use-telegram.ts';

/** The chat that tells a person of the project's events, and where questions are answered. K7.10 */
export function TelegramSection({ projectId }: { projectId: string }) {
  const { t } = useTranslation('connect');
  const connection = useTelegram(projectId);
  const { remote, problem } = connection;
  const telegram = remote.value;
  if (!telegram && !remote.problem) return <Loading text={t('common:loading')} className={styles.note} />;
  return (
    <div className={styles.parts} data-testid="telegram">
      <p className={styles.note}>{t('telegram.lead')}</p>
      <ReadProblem remote={remote} problem={problem} className={styles.problem} />
      {telegram && !telegram.hasBot && <p className={styles.note}>{t('telegram.noBot')}</p>}
      {telegram && <Troubles telegram={telegram} />}
      {telegram?.hasBot && <Binding chat={telegram.chat} connection={connection} />}
      {telegram?.chat && <Wishes telegram={telegram} connection={connection} />}
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
function Binding({ chat, connection }: { chat: TelegramState['chat']; connection: Telegram }) {
  const { t, language } = useTranslation('connect');
  const { link, isBusy } = connection;
  // The button that unbinds goes with its chat; the next one takes its focus.
  const [wasBound, setWasBound] = useState(false);
  const unbind = () => {
    setWasBound(true);
    void connection.unbind();
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
          <Button autoFocus={wasBound} variant="primary" busy={isBusy} onClick={() => void connection.connect()}>
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

/** Which events of the project the chat is connection, when it is quiet, and what comes then too. */
function Wishes({ telegram: { events, urgent, quiet }, connection }: { telegram: TelegramState; connection: Telegram }) {
  const { t } = useTranslation('connect');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const setQuiet = (next: QuietHours | null) => void connection.change(() => ({ quiet: next }));
  return (
    <>
      <EventChoices list="events" of={hookEvents} chosen={events} connection={connection} />
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
          {events.length > 0 && <EventChoices list="urgent" of={events} chosen={urgent} connection={connection} />}
          <p className={styles.note}>{t('telegram.quietHint', { zone: quiet.timeZone })}</p>
        </>
      )}
    </>
  );
}

type EventChoicesProps = { list: EventList; of: readonly HookEvent[]; chosen: readonly HookEvent[]; connection: Telegram };

function EventChoices({ list, of, chosen, connection }: EventChoicesProps) {
  const { t } = useTranslation('connect');
  return (
    <CheckList
      legend={t(`telegram.${list}`)}
      options={of.map((value) => ({ value, label: t(`event.${value}`) }))}
      chosen={chosen}
      onToggle={(event, isOn) => void connection.toggle(list, event, isOn)}
    />
  );
}
