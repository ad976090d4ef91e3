import type { StepMark } from '../../../../contract/executions/step-mark.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Loading, LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { CopyButton } from '../marks/copy-button.tsx';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import { StepMarkBadges } from '../marks/step-mark-badges.tsx';
import styles from './result-dialog.module.css';

export type ResultDialogProps = {
  open: boolean;
  title: string;
  /** Null until it is read. */
  text: string | null;
  /** Why it could not be read. */
  problem?: Problem | null;
  simulated: boolean;
  /** What the results of the run lack. */
  marks: readonly StepMark[];
  onRetry?: () => void;
  onClose: () => void;
};

/** The whole result of a run, with buttons to copy and save it. */
export function ResultDialog({ open, title, text, problem = null, simulated, marks, onRetry, onClose }: ResultDialogProps) {
  const { t } = useTranslation('workspace');
  const problemText = useProblemText();
  return (
    <Modal
      open={open}
      onClose={onClose}
      size="l"
      title={t('history.resultOf')}
      description={<span className={styles.task}>{title}</span>}
      footer={
        <>
          <span className={styles.left}>
            {text !== null && <CopyButton text={text} label={t('words:copy')} done={t('common:copied')} />}
            {simulated && <SimulatedBadge />}
            <StepMarkBadges marks={marks} />
          </span>
          <Button onClick={onClose}>{t('common:close')}</Button>
        </>
      }
    >
      {text !== null ? (
        <LazyMarkdown text={text} />
      ) : problem ? (
        <LoadProblem text={problemText(problem)} retry={t('words:retry')} onRetry={onRetry} />
      ) : (
        <Loading text={t('history.loadingResult')} />
      )}
    </Modal>
  );
}
