import { Suspense } from 'react';
import type { RunPhase } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Eraser, Pause, Play, Rewind, SkipForward, Square } from '../../../ui/icons/icons.ts';
import { AbsentUntilOnline } from '../../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { DemoEnding } from '../demo/demo-ending.tsx';
import { ClearHistory } from '../history/clear-history.tsx';
import panel from '../panel.module.css';
import { shortcutLabel } from '../shortcuts/shortcut-label.ts';
import { useNodeCounts } from '../use-node-counts.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import styles from './run-control.module.css';
import { Progress, Readiness } from './run-progress.tsx';
import type { StartChoice } from './start-choice.ts';
import { useNothingCanRun } from './use-run-errors.ts';
import { useForeseenStart, useStartChoice, useStartRun } from './use-start-run.ts';

const RunSettings = lazyPart(() => import('./settings/run-settings.tsx').then((file) => file.RunSettings), AbsentUntilOnline);

/** Buttons to start, pause, resume, stop and step, with the current progress, and the clearing of the history. W2.03 */
export function RunControl() {
  const { t } = useTranslation('workspace');
  const { readOnly, demo, mobile } = useWorkspaceContext();
  const square = mobile ? { width: 48, height: 44 } : undefined;
  const dispatch = useDispatch();
  const phase = useWorkspace((state) => state.run.phase);
  const outcome = useWorkspace((state) => state.run.outcome);
  const status = useWorkspace((state) => state.status);
  if ((readOnly && !demo) || (status !== 'ready' && status !== 'reloading')) return null;
  // On a wide screen the console shows the end.
  const ended = demo && mobile && outcome === 'completed';
  return (
    <section
      className={`${panel.panel} ${styles.control}`}
      aria-label={t('run.label')}
      data-panel
      data-testid="run-control"
      data-phase={phase}
      data-demo={demo || undefined}
    >
      {ended && <DemoEnding />}
      <div className={styles.row}>
        <MainButton phase={phase} quiet={ended} />
        {phase === 'paused' && (
          <IconButton
            className={styles.square}
            style={square}
            size={40}
            tone="bordered"
            label={t('run.next')}
            tooltipSide="top"
            icon={<SkipForward size={17} />}
            onClick={() => void dispatch({ type: 'run.nextStep' })}
          />
        )}
        {(phase !== 'stopped' || (demo && !outcome)) && (
          <IconButton
            className={styles.square}
            style={square}
            size={40}
            tone="bordered"
            label={phase === 'stopping' ? t('run.stopping') : t('run.stop')}
            shortcut={shortcutLabel('alt+S')}
            tooltipSide="top"
            icon={<Square size={16} />}
            disabled={phase === 'stopping' || phase === 'stopped'}
            onClick={() => void dispatch({ type: 'run.stop' })}
          />
        )}
        <div className={styles.story}>{phase === 'stopped' && !outcome ? <Readiness /> : <Progress />}</div>
        {outcome && (
          <>
            <span className={`${panel.divider} ${styles.tall}`} />
            <ReplayButton style={square} />
            <IconButton
              className={styles.eraser}
              style={square}
              label={t('run.clear')}
              size={40}
              tooltipSide="top"
              icon={<Eraser size={17} />}
              onClick={() => void dispatch({ type: 'run.clear' })}
            />
          </>
        )}
        {/* In the demonstration nothing moves when the run begins. */}
        {!outcome && phase !== 'stopped' && !demo && <ReplayButton style={square} />}
        <ClearHistory size={40} className={`${styles.eraser} ${styles.clear}`} style={square} />
      </div>
      {!readOnly && (
        <div className={styles.settings}>
          <Suspense fallback={null}>
            <RunSettings />
          </Suspense>
        </div>
      )}
    </section>
  );
}

/** Plays the run again; one that is under way can be looked back at. */
function ReplayButton({ style }: { style: { width: number; height: number } | undefined }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const executionId = useWorkspace((state) => state.run.execution?.id);
  const hasEnded = useWorkspace((state) => state.run.outcome !== null);
  if (executionId === undefined) return null;
  return (
    <IconButton
      className={styles.square}
      style={style}
      label={t(hasEnded ? 'run.replay' : 'run.lookBack')}
      size={40}
      tooltipSide="top"
      data-testid="open-replay"
      icon={<Rewind size={17} />}
      onClick={() => void dispatch({ type: 'replay.open', executionId })}
    />
  );
}

/** `quiet`: another button is the primary one. */
function MainButton({ phase, quiet }: { phase: RunPhase; quiet: boolean }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const start = useStartRun();
  const ended = useWorkspace((state) => state.run.outcome !== null);
  const choice = useStartChoice();
  useForeseenStart(choice);
  const again = ended && isAgain(choice);
  const isIdle = useNothingCanRun();
  const empty = useNodeCounts(({ agents }) => agents === 0) || isIdle;
  const common = { size: 'l' as const, className: styles.main };
  switch (phase) {
    case 'stopped':
      return (
        <Button
          {...common}
          variant={empty || quiet ? 'secondary' : 'primary'}
          icon={<Play size={17} aria-hidden />}
          disabled={empty}
          onClick={start}
          title={shortcutLabel('alt+R')}
        >
          {again ? t('run.again') : t('run.start')}
        </Button>
      );
    case 'running':
      return (
        <Button
          {...common}
          variant="primary"
          icon={<Pause size={17} aria-hidden />}
          onClick={() => void dispatch({ type: 'run.pause' })}
          title={shortcutLabel('alt+R')}
        >
          {t('run.pause')}
        </Button>
      );
    case 'paused':
      return (
        <Button
          {...common}
          variant="primary"
          icon={<Play size={17} aria-hidden />}
          onClick={() => void dispatch({ type: 'run.resume' })}
          title={shortcutLabel('alt+R')}
        >
          {t('run.resume')}
        </Button>
      );
    case 'starting':
    case 'pausing':
    case 'stopping':
      return (
        <Button {...common} variant="primary" busy>
          {t(`run.${phase}`)}
        </Button>
      );
  }
}

/** Whether Start repeats the last run, directly or with a question for the task. */
function isAgain(choice: StartChoice): boolean {
  if (choice.kind === 'run') return choice.again === true;
  return choice.kind === 'noAgents' || (choice.kind === 'askTask' && choice.task !== undefined && choice.startNodeId === undefined);
}
