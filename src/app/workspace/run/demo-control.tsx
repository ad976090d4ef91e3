import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { largeTarget } from '../../../ui/controls/buttons/large-target.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Eraser, Rewind } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { DemoEnding } from '../demo/demo-ending.tsx';
import { useNodeCounts } from '../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import { RunButtons } from './run-buttons.tsx';
import styles from './run-control.module.css';
import { Progress } from './run-progress.tsx';
import { useStartRun } from './start/use-start-run.ts';

/** The run of the demonstration: it starts by itself, and its buttons have their later places, so that nothing moves. */
export function DemoControl() {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const dispatch = useDispatch();
  const start = useStartRun();
  const phase = useWorkspace((state) => state.run.phase);
  const outcome = useWorkspace((state) => state.run.outcome);
  const executionId = useWorkspace((state) => state.run.execution?.id);
  const shape = { size: 40, tooltipSide: 'top', ...(mobile && { style: largeTarget }) } as const;
  // On a wide screen the console shows the end.
  const showsEnding = mobile && outcome === 'completed';
  return (
    <>
      {showsEnding && <DemoEnding />}
      <div className={styles.row}>
        <RunButtons start={{ label: t(outcome ? 'words:runAgain' : 'run.start'), isQuiet: showsEnding, onClick: start }} />
        <div className={styles.story}>{phase === 'stopped' && !outcome ? <DemoReadiness /> : <Progress />}</div>
        {outcome && (
          <>
            <span className={`${panel.divider} ${styles.tall}`} />
            {executionId !== undefined && (
              <IconButton
                {...shape}
                className={styles.square}
                label={t('run.replay')}
                data-testid="open-replay"
                icon={<Rewind size={17} />}
                onClick={() => void dispatch({ type: 'replay.open', executionId })}
              />
            )}
            <IconButton
              {...shape}
              className={styles.eraser}
              label={t('run.clear')}
              icon={<Eraser size={17} />}
              onClick={() => void dispatch({ type: 'run.clear' })}
            />
          </>
        )}
      </div>
    </>
  );
}

/** Has the size of the progress that follows. */
function DemoReadiness() {
  const { t } = useTranslation('workspace');
  const agents = useNodeCounts((counts) => counts.agents);
  return (
    <>
      <div className={styles.head}>
        <p className={styles.line}>
          <strong>{t('run.ready')}</strong>
          <span className={styles.dot} aria-hidden>
            ·
          </span>
          {t('words:agentCount', { count: agents })}
        </p>
      </div>
      <div className={styles.segments} aria-hidden>
        {Array.from({ length: agents }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the elements are equal
          <span key={at} className={styles.segment} />
        ))}
      </div>
    </>
  );
}
