import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Eraser, Pause, Play, Rewind, SkipForward, Square } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import panel from '../panel.module.css';
import styles from '../run/run-control.module.css';
import { Progress } from '../run/run-progress.tsx';
import { useStartRun } from '../run/use-start-run.ts';
import { shortcutLabel } from '../shortcuts/shortcut-label.ts';
import { useNodeCounts } from '../use-node-counts.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { DemoEnding } from './demo-ending.tsx';

/** The run of the demonstration: it starts by itself, and its buttons have their later places, so that nothing moves. */
export function DemoControl() {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const dispatch = useDispatch();
  const phase = useWorkspace((state) => state.run.phase);
  const outcome = useWorkspace((state) => state.run.outcome);
  const executionId = useWorkspace((state) => state.run.execution?.id);
  const shape = { size: 40, tooltipSide: 'top', ...(mobile && { style: { width: 48, height: 44 } }) } as const;
  // On a wide screen the console shows the end.
  const showsEnding = mobile && outcome === 'completed';
  return (
    <>
      {showsEnding && <DemoEnding />}
      <div className={styles.row}>
        <MainButton isQuiet={showsEnding} />
        {phase === 'paused' && (
          <IconButton
            {...shape}
            className={styles.square}
            tone="bordered"
            label={t('run.next')}
            icon={<SkipForward size={17} />}
            onClick={() => void dispatch({ type: 'run.nextStep' })}
          />
        )}
        {(phase !== 'stopped' || !outcome) && (
          <IconButton
            {...shape}
            className={styles.square}
            tone="bordered"
            label={phase === 'stopping' ? t('run.stopping') : t('run.stop')}
            shortcut={shortcutLabel('alt+S')}
            icon={<Square size={16} />}
            disabled={phase === 'stopping' || phase === 'stopped'}
            onClick={() => void dispatch({ type: 'run.stop' })}
          />
        )}
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

/** `isQuiet`: another button is the primary one. */
function MainButton({ isQuiet }: { isQuiet: boolean }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const start = useStartRun();
  const phase = useWorkspace((state) => state.run.phase);
  const hasEnded = useWorkspace((state) => state.run.outcome !== null);
  const common = { size: 'l' as const, className: styles.main, variant: 'primary' as const };
  const keys = shortcutLabel('alt+R');
  if (phase === 'stopped')
    return (
      <Button {...common} variant={isQuiet ? 'secondary' : 'primary'} icon={<Play size={17} aria-hidden />} onClick={start} title={keys}>
        {t(hasEnded ? 'words:runAgain' : 'run.start')}
      </Button>
    );
  if (phase === 'running')
    return (
      <Button {...common} icon={<Pause size={17} aria-hidden />} onClick={() => void dispatch({ type: 'run.pause' })} title={keys}>
        {t('run.pause')}
      </Button>
    );
  if (phase === 'paused')
    return (
      <Button {...common} icon={<Play size={17} aria-hidden />} onClick={() => void dispatch({ type: 'run.resume' })} title={keys}>
        {t('run.resume')}
      </Button>
    );
  return (
    <Button {...common} busy>
      {t(`run.${phase}`)}
    </Button>
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
