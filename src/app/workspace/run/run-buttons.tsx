import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { largeTarget } from '../../../ui/controls/buttons/large-target.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Pause, Play, SkipForward, Square } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './run-control.module.css';

/** `isQuiet`: another button is the primary one. */
type StartButton = { label: string; isQuiet: boolean; onClick: () => void };

/** Pause or resume, the next step alone, and stop. `start`: what the first button does while nothing runs; it keeps its focus as a run begins. */
export function RunButtons({ start }: { start?: StartButton }) {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const dispatch = useDispatch();
  const phase = useWorkspace((state) => state.run.phase);
  const hasEnded = useWorkspace(({ run }) => run.phase === 'stopped' && run.outcome !== null);
  const shape = {
    className: styles.square,
    size: 40,
    tone: 'bordered',
    tooltipSide: 'top',
    ...(mobile && { style: largeTarget }),
  } as const;
  const offered = phase === 'stopped' ? start : undefined;
  return (
    <>
      {offered || phase === 'running' || phase === 'paused' ? (
        <Button
          size="l"
          variant={offered?.isQuiet ? 'secondary' : 'primary'}
          className={styles.main}
          icon={phase === 'running' ? <Pause size={17} aria-hidden /> : <Play size={17} aria-hidden />}
          onClick={offered ? offered.onClick : () => void dispatch({ type: phase === 'paused' ? 'run.resume' : 'run.pause' })}
          title={shortcutOf('startRun')}
          data-start
        >
          {offered ? offered.label : t(phase === 'paused' ? 'run.resume' : 'run.pause')}
        </Button>
      ) : (
        <Button size="l" variant="primary" className={styles.main} busy>
          {t(phase === 'stopped' ? 'run.starting' : `run.${phase}`)}
        </Button>
      )}
      {phase === 'paused' && (
        <IconButton
          {...shape}
          label={t('run.next')}
          icon={<SkipForward size={17} />}
          onClick={() => void dispatch({ type: 'run.nextStep' })}
        />
      )}
      {!hasEnded && (
        <IconButton
          {...shape}
          label={phase === 'stopping' ? t('run.stopping') : t('run.stop')}
          shortcut={shortcutOf('stopRun')}
          icon={<Square size={16} />}
          disabled={phase === 'stopping' || phase === 'stopped'}
          onClick={() => void dispatch({ type: 'run.stop' })}
        />
      )}
    </>
  );
}
