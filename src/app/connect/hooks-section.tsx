import { useState } from 'react';
import { type CreatedHook, type HookOut, secretOverlapHours } from '../../../contract/hook.ts';
import { Badge } from '../../ui/controls/badge.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Switch } from '../../ui/controls/fields/switch.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import styles from '../api-list/api-list.module.css';
import { ReadProblem } from '../server-data/read-problem.tsx';
import { CopyButton } from '../workspace/marks/copy-button.tsx';
import { Deliveries } from './deliveries.tsx';
import { NewHook } from './new-hook.tsx';
import { type Hooks, useHooks } from './use-hooks.ts';

/** The receivers of the project's events: to add, to test, to see what arrived, and to send again. K6.09 */
export function HooksSection({ projectId }: { projectId: string }) {
  const { t } = useTranslation('connect');
  const hooks = useHooks(projectId);
  const { list, problem, created, isBusy } = hooks;
  if (!list.value && !list.problem) return <Loading text={t('common:loading')} className={styles.note} />;
  return (
    <div className={styles.parts} data-testid="hooks">
      <p className={styles.note}>
        {t('hooks.lead')}{' '}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          {t('hooks.standard')}
        </a>
      </p>
      <ReadProblem remote={list} problem={problem} className={styles.problem} />
      {created && <CreatedSecret hook={created} />}
      {list.value && <NewHook isBusy={isBusy} onCreate={async (creation) => (await hooks.create(creation)) !== null} />}
      {list.value && list.value.length > 0 && (
        <ul className={styles.list} aria-label={t('hooks.list')}>
          {list.value.map((hook) => (
            <Hook key={hook.id} hook={hook} hooks={hooks} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** A new secret, which no other call returns. */
function CreatedSecret({ hook: { url, secret } }: { hook: CreatedHook }) {
  const { t } = useTranslation('connect');
  const { host } = new URL(url);
  return (
    <section className={styles.created} aria-label={t('hooks.secret', { host })}>
      <p role="status">{t('hooks.secretOnce', { host })}</p>
      <div className={styles.copied}>
        <code data-testid="hook-secret">{secret}</code>
        <CopyButton text={secret} label={t('hooks.copySecret')} done={t('common:copied')} />
      </div>
    </section>
  );
}

function Hook({ hook, hooks }: { hook: HookOut; hooks: Hooks }) {
  const { t } = useTranslation('connect');
  const { openId, deliveries, isBusy } = hooks;
  const { id, url, events, withTexts, offSince } = hook;
  const isOpen = openId === id;
  const { host } = new URL(url);
  return (
    <li className={styles.row} data-off={offSince !== null || undefined}>
      <div className={styles.head}>
        <bdi className={styles.name}>{url}</bdi>
        <Switch
          labelHidden
          label={t('hooks.on', { host })}
          checked={offSince === null}
          disabled={isBusy}
          onChange={(isOn) => void hooks.change(id, { isOn })}
        />
      </div>
      <p className={styles.badges}>
        {events.map((event) => (
          <Badge key={event}>{t(`event.${event}`)}</Badge>
        ))}
        {withTexts && <Badge tone="accent">{t('hooks.withTexts')}</Badge>}
      </p>
      <HookState hook={hook} />
      <HookActs hook={hook} hooks={hooks} />
      {isOpen && (
        <Deliveries deliveries={deliveries} isOff={offSince !== null} isBusy={isBusy} onResend={(one) => void hooks.resend(id, one)} />
      )}
    </li>
  );
}

/** What a person can do with a hook. A new secret and the removal ask first. */
function HookActs({ hook: { id, url }, hooks }: { hook: HookOut; hooks: Hooks }) {
  const { t } = useTranslation('connect');
  const { openId, isBusy } = hooks;
  const [asking, ask] = useState<'secret' | 'remove' | null>(null);
  const isOpen = openId === id;
  const { host } = new URL(url);
  const replaceSecret = async () => {
    if (await hooks.replaceSecret(id)) ask(null);
  };
  if (asking !== null)
    return (
      <>
        {asking === 'secret' && <p className={styles.note}>{t('hooks.newSecretHint', { count: secretOverlapHours })}</p>}
        <div className={styles.act}>
          {asking === 'secret' ? (
            <Button size="s" variant="primary" busy={isBusy} onClick={() => void replaceSecret()}>
              {t('words:makeNewSecret')}
            </Button>
          ) : (
            <Button size="s" variant="danger" busy={isBusy} onClick={() => void hooks.remove(id)}>
              {t('hooks.removeForGood')}
            </Button>
          )}
          <Button size="s" autoFocus onClick={() => ask(null)}>
            {t('words:keep')}
          </Button>
        </div>
      </>
    );
  return (
    <div className={styles.act}>
      <Button size="s" busy={isBusy} aria-label={t('hooks.testOf', { host })} onClick={() => void hooks.test(id)}>
        {t('hooks.test')}
      </Button>
      <Button size="s" aria-expanded={isOpen} aria-label={t('hooks.deliveriesOf', { host })} onClick={() => hooks.open(isOpen ? null : id)}>
        {t('hooks.deliveries')}
      </Button>
      <Button size="s" aria-label={t('hooks.newSecretOf', { host })} onClick={() => ask('secret')}>
        {t('words:newSecret')}
      </Button>
      <Button size="s" aria-label={t('hooks.removeOf', { host })} onClick={() => ask('remove')}>
        {t('words:removeForGood')}
      </Button>
    </div>
  );
}

/** Why a hook sends nothing, since when its receiver fails, or until when its former secret signs; nothing for one that simply works. */
function HookState({ hook: { offSince, offBecause, failingSince, formerSecretUntil } }: { hook: HookOut }) {
  const { t } = useTranslation('connect');
  const moment = useMomentText();
  if (offSince !== null)
    return (
      <p className={offBecause === 'dead' ? styles.problem : styles.note}>
        {t(`hooks.off.${offBecause ?? 'owner'}`, { at: moment(offSince) })}
      </p>
    );
  return (
    <>
      {failingSince !== null && <p className={styles.warning}>{t('hooks.failing', { at: moment(failingSince) })}</p>}
      {formerSecretUntil !== null && <p className={styles.note}>{t('hooks.formerSecret', { at: moment(formerSecretUntil) })}</p>}
    </>
  );
}
