import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { FileText } from '../../../ui/icons/icons.ts';
import { useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';
import { usePanels } from '../frame/panels.tsx';
import styles from './run-control.module.css';
import { useShowResult } from './use-open-result.ts';

/** Opens the result of the shown run in the console: its files, else what was written last. A run without a result leads to its steps. */
export function ReadResult() {
  const { t } = useTranslation('workspace');
  const store = useStore();
  const { show } = usePanels();
  const showResult = useShowResult();
  const executionId = useWorkspace(({ run }) => run.execution?.id ?? null);
  const hasText = useWorkspace(({ run }) => (run.execution?.result?.trim() ?? '') !== '');
  const count = useRead('execution.files', executionId === null ? null : { params: { id: executionId } }).value?.files.length ?? 0;
  const open = () => {
    if (count > 0) return show({ console: 'open', tab: 'files' });
    if (!hasText) return show({ console: 'open', tab: 'summary' });
    return showResult(store.getState().run.steps.findLast(({ result }) => result !== null && result.trim() !== ''));
  };
  const words = count > 0 ? t('run.readFiles', { count }) : t(hasText ? 'words:readResult' : 'run.readSteps');
  return (
    <Button
      size="l"
      variant="primary"
      className={styles.main}
      icon={<FileText size={17} aria-hidden />}
      data-testid="read-result"
      onClick={open}
    >
      {words}
    </Button>
  );
}
