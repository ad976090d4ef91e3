import type { ForgeState, ForgeThreadShown, Trigger, TriggerSettings } from '../../../contract/trigger.ts';
import { Badge, type BadgeProps } from '../../ui/controls/badge.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CircleAlert, GitBranch } from '../../ui/icons/icons.ts';
import list from '../api-list/api-list.module.css';
import { OpenRun } from './fires.tsx';
import styles from './triggers.module.css';
import type { Triggers } from './use-triggers.ts';
import { Reach } from './webhook-part.tsx';

type ForgePartProps = { trigger: Trigger; settings: Extract<TriggerSettings, { kind: 'forge' }>; triggers: Triggers };

/** How a repository is read, whose words count, its hook, and the issues that have started runs. L4.07 */
export function ForgePart({ trigger, settings, triggers }: ForgePartProps) {
  const { t } = useTranslation('triggers');
  const { details } = triggers;
  const { forge } = trigger;
  return (
    <>
      {forge && <Reading forge={forge} label={settings.label} takesMentions={settings.takesMentions} />}
      <section className={styles.section} aria-label={t('threads.title')}>
        <h4>{t('threads.title')}</h4>
        {details && details.threads.length > 0 ? (
          <Threads threads={details.threads} />
        ) : (
          <p className={styles.note}>{t('threads.none', { label: settings.label })}</p>
        )}
      </section>
      {trigger.address !== null && (
        <details className={styles.more}>
          <summary>{t('hook.title')}</summary>
          <div className={styles.parts}>
            <p className={styles.note}>{t('hook.why')}</p>
            <Reach trigger={trigger} triggers={triggers} />
            {forge?.forge && (
              <ol className={styles.steps}>
                {(['first', 'second', 'third'] as const).map((step) => (
                  <li key={step}>{t(`hook.${forge.forge ?? 'github'}.${step}`)}</li>
                ))}
              </ol>
            )}
          </div>
        </details>
      )}
    </>
  );
}

function Reading({ forge, label, takesMentions }: { forge: ForgeState; label: string; takesMentions: boolean }) {
  const { t } = useTranslation('triggers');
  const { url, login, readAt, problem, problemText, waitsUntil } = forge;
  const timeOf = useMomentText('second');
  const at = readAt && timeOf(readAt);
  return (
    <section className={styles.box} aria-label={t('repository.title')} data-testid="forge-state">
      <p className={styles.address}>
        <GitBranch size={16} aria-hidden />
        {url === null ? (
          t('repository.none')
        ) : (
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        )}
      </p>
      {problem !== null && (
        <div className={styles.paused} role="status">
          <CircleAlert size={18} aria-hidden />
          <p>
            {t(`reading.problem.${problem}`)}
            {waitsUntil !== null && <> {t('reading.waits', { at: timeOf(waitsUntil) })}</>}
            {problemText !== null && <q className={styles.said}>{problemText}</q>}
          </p>
        </div>
      )}
      <p className={styles.note}>
        {[
          login === null ? t('reading.noLogin') : t('reading.login', { login }),
          at === null ? t('reading.never') : t('reading.at', { at }),
        ].join(' ')}
      </p>
      <p className={styles.note}>
        {t('reading.starts', { label })} {takesMentions && login !== null && t('reading.mention', { login })} {t('forge.whoMay')}
      </p>
    </section>
  );
}

const tones: Record<ForgeThreadShown['state'], NonNullable<BadgeProps['tone']>> = {
  waiting: 'neutral',
  started: 'accent',
  answered: 'success',
  asked: 'warning',
  published: 'success',
  refused: 'danger',
  failed: 'danger',
  attention: 'warning',
  paused: 'warning',
  closed: 'neutral',
};

function Threads({ threads }: { threads: readonly ForgeThreadShown[] }) {
  const { t } = useTranslation('triggers');
  const momentText = useMomentText();
  return (
    <ol className={`${list.history} ${styles.fires}`} aria-label={t('threads.title')} data-testid="threads">
      {threads.map(({ number, title, url, state, problem, request, run, updatedAt }) => {
        const at = momentText(updatedAt);
        return (
          <li key={number}>
            <div className={styles.words}>
              <a href={url} target="_blank" rel="noreferrer">
                #{number} {title}
              </a>
              <span>
                <Badge tone={tones[state]}>{t(`threads.state.${state}`)}</Badge>{' '}
                {request && (
                  <a href={request.url} target="_blank" rel="noreferrer">
                    {t('threads.request', { number: request.number })}
                  </a>
                )}
              </span>
              <span className={styles.reason}>{t(`threads.cure.${state}`)}</span>
              {problem !== null && (
                <span className={styles.reason}>{t(`threads.problem.${problem === 'locked' ? 'locked' : 'other'}`)}</span>
              )}
              <small>{at}</small>
            </div>
            {run && ['completed', 'failed', 'cancelled'].includes(run.status) && <OpenRun runId={run.id} at={at} />}
          </li>
        );
      })}
    </ol>
  );
}
