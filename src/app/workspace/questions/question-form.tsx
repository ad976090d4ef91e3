import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Loading, LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useRead } from '../../server-data/use-read.ts';
import { BackButton } from './back-button.tsx';
import { EndedQuestion } from './ended-question.tsx';
import { OpenQuestion } from './open-question.tsx';
import styles from './questions.module.css';

type FormProps = { open: boolean; questionId: string; onBack: () => void; onClose: () => void };

/** One question: what the run asks, the texts before it, and its answer. */
export function QuestionForm({ open, questionId, onBack, onClose }: FormProps) {
  const { t } = useTranslation('questions');
  const problemText = useProblemText();
  const { value, problem, again } = useRead('question.get', { params: { id: questionId } });
  const question = problem ? null : value;
  if (question?.state === 'open') return <OpenQuestion {...{ open, question, onBack, onClose }} onReload={again} />;
  return (
    <Modal open={open} onClose={onClose} size="l" title={question?.title ?? t('words:needsYou')} footer={<BackButton onBack={onBack} />}>
      {question ? (
        <EndedQuestion question={question} />
      ) : problem ? (
        <LoadProblem className={styles.problem} text={problemText(problem)} retry={t('words:repeat')} onRetry={again} />
      ) : (
        <Loading text={t('loading')} />
      )}
    </Modal>
  );
}
