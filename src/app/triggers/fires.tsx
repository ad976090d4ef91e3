import type { ExecutionStatus } from '../../../contract/executions/execution.ts';
import type { Fire, FireOutcome, Trigger } from '../../../contract/trigger.ts';
import { Badge, type BadgeProps } from '../../ui/controls/badge.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useDispatch } from '../../workers/bridge/use-workspace.ts';
import list from '../api-list/api-list.module.css';
import { usePanels } from '../workspace/frame/panels.tsx';
import styles from './triggers.module.css';
import type { Triggers } from './use-triggers.ts';

export const tones: Record<FireOutcome, NonNullable<BadgeProps['tone']>> = {
  started: 'success',
  waiting: 'accent',
  filtered: 'neutral',
  skipped: 'neutral',
  late: 'warning',
  refused: 'warning',
  failed: 'danger',
};
const ended: ReadonlySet<string> = new Set<ExecutionStatus>(['completed', 'failed', 'cancelled']);

/** `needsBody`: a fire is repeated by what came with it. */
type FiresProps = { trigger: Trigger; fires: readonly Fire[]; needsBody: boolean; triggers: Triggers };

/** What came in last: its outcome, why it has started nothing, and its run. L4.08 */
export function Fires({ trigger, fires, needsBody, triggers }: FiresProps) {
  const { t } = useTranslation('triggers');
  if (fires.length === 0) return <p className={styles.note}>{t(`fires.none.${trigger.kind}`)}</p>;
  return (
    <ol className={`${list.history} ${styles.fires}`} aria-label={t('fires.title')} data-testid="fires">
      {fires.map((fire) => (
        <FireRow key={fire.key} {...{ fire, trigger, needsBody, triggers }} />
      ))}
    </ol>
  );
}

function FireRow({ fire, trigger, needsBody, triggers }: { fire: Fire } & Omit<FiresProps, 'fires'>) {
  const { t } = useTranslation('triggers');
  const { isBusy } = triggers;
  const { outcome, reason, detail, about, again, hasBody, run, key } = fire;
  const at = useMomentText('second')(fire.dueAt);
  const facts = [at, ...(about === null ? [] : [about]), ...(again ? [t('fires.wasAgain')] : [])];
  const status = run && (run.status as ExecutionStatus);
  const mayRepeat = trigger.pausedAt === null && trigger.team !== null && (hasBody || !needsBody);
  return (
    <li data-outcome={outcome}>
      <div className={styles.words}>
        <span>
          <Badge tone={tones[outcome]}>{t(`outcome.${outcome}`)}</Badge> {status && t('fires.run', { status: t(`run.${status}`) })}
        </span>
        {reason !== null && <span className={styles.reason}>{t(`reason.${reason}`, { detail: detail ?? '' })}</span>}
        <small>{facts.join(' · ')}</small>
      </div>
      <div className={styles.act}>
        {run && ended.has(run.status) && <OpenRun runId={run.id} at={at} />}
        {mayRepeat && (
          <Button size="s" busy={isBusy} aria-label={t('fires.againOf', { at })} onClick={() => void triggers.again(trigger.id, key)}>
            {t('fires.again')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Shows a run that has ended on the canvas. */
export function OpenRun({ runId, at }: { runId: string; at: string }) {
  const { t } = useTranslation('triggers');
  const { show } = usePanels();
  const dispatch = useDispatch();
  const open = () => {
    show({ window: null });
    void dispatch({ type: 'replay.open', executionId: runId });
  };
  return (
    <Button size="s" aria-label={t('fires.openOf', { at })} onClick={open}>
      {t('words:showRun')}
    </Button>
  );
}
