import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useNodeCounts } from '../frame/use-node-counts.ts';
import { RunNotice } from './notice/run-notice.tsx';
import { ReadResult } from './read-result.tsx';
import { RunButtons } from './run-buttons.tsx';
import styles from './run-control.module.css';
import { RunMenu } from './run-menu.tsx';
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
          <RunButtons />
          <RunSettings />
        </>
      )}
      <RunMenu onWrite={hasEnded || !hasDialogs ? null : onWrite} />
    </div>
  );
}
