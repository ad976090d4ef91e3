import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Pause, Play, SkipForward, Square } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { shortcutLabel } from '../shortcuts/shortcut-label.ts';
import { useNodeCounts } from '../use-node-counts.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { largeTarget } from './large-target.ts';
import { ReadResult } from './read-result.tsx';
import styles from './run-control.module.css';
import { RunMenu } from './run-menu.tsx';
import { RunNotice } from './run-notice.tsx';
import { Progress } from './run-progress.tsx';
import { RunSettings } from './settings/run-settings.tsx';

/** The shown run: how far it is with pause and stop, or how it ended with its result. What is needed rarely is behind "…". */
export function RunRow({ onWrite }: { onWrite: () => void }) {
  const { t } = useTranslation('workspace');
  const hasEnded = useWorkspace(({ run }) => run.phase === 'stopped');
  // Without a dialog there is nothing to write in, and Start is refused during a run.
  const hasDialogs = useNodeCounts(({ dialogs }) => dialogs.size > 0);
  return (
    <div className={styles.row}>
      <div className={styles.story}>
        <Progress />
      </div>
      {hasEnded ? (
        <>
          <RunNotice />
          <ReadResult />
          <Button size="l" onClick={onWrite}>
            {t('run.newTask')}
          </Button>
        </>
      ) : (
        <>
          <Controls />
          <RunSettings />
        </>
      )}
      <RunMenu onWrite={hasEnded || !hasDialogs ? null : onWrite} />
    </div>
  );
}

/** Pause or resume, the next step alone, and stop. */
function Controls() {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const dispatch = useDispatch();
  const phase = useWorkspace((state) => state.run.phase);
  const style = mobile ? largeTarget : undefined;
  return (
    <>
      {phase === 'running' || phase === 'paused' ? (
        <Button
          size="l"
          variant="primary"
          className={styles.main}
          icon={phase === 'paused' ? <Play size={17} aria-hidden /> : <Pause size={17} aria-hidden />}
          onClick={() => void dispatch({ type: phase === 'paused' ? 'run.resume' : 'run.pause' })}
          title={shortcutLabel('alt+R')}
        >
          {t(phase === 'paused' ? 'run.resume' : 'run.pause')}
        </Button>
      ) : (
        <Button size="l" variant="primary" className={styles.main} busy>
          {t(phase === 'stopped' ? 'run.starting' : `run.${phase}`)}
        </Button>
      )}
      {phase === 'paused' && (
        <IconButton
          className={styles.square}
          size={40}
          style={style}
          tone="bordered"
          label={t('run.next')}
          tooltipSide="top"
          icon={<SkipForward size={17} />}
          onClick={() => void dispatch({ type: 'run.nextStep' })}
        />
      )}
      <IconButton
        className={styles.square}
        size={40}
        style={style}
        tone="bordered"
        label={phase === 'stopping' ? t('run.stopping') : t('run.stop')}
        shortcut={shortcutLabel('alt+S')}
        tooltipSide="top"
        icon={<Square size={16} />}
        disabled={phase === 'stopping' || phase === 'stopped'}
        onClick={() => void dispatch({ type: 'run.stop' })}
      />
    </>
  );
}
