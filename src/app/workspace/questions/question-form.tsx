import { useEffect, useState } from 'react';
import type { QuestionDetails } from '../../../../contract/executions/question.ts';
import type { Problem } from '../../../model/problem.ts';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Loading, LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useCall } from '../../../workers/bridge/use-workspace.ts';
import { BackButton } from './back-button.tsx';
import { EndedQuestion } from './ended-question.tsx';
import { OpenQuestion } from './open-question.tsx';
import styles from './questions.module.css';

type FormProps = { open: boolean; questionId: string; onBack: () => void; onClose: () => void };

type Reading = { question: QuestionDetails | null; problem: Problem | null };

/** One question: what the run asks, the texts before it, and its answer. */
export function QuestionForm({ open, questionId, onBack, onClose }: FormProps) {
  const { t } = useTranslation('questions');
  const problemText = useProblemText();
  const call = useCall();
  const [{ question, problem }, setReading] = useState<Reading>({ question: null, problem: null });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    let isCurrent = true;
    void call('question.get', { params: { id: questionId } }).then((answer) => {
      if (isCurrent) setReading(answer.ok ? { question: answer.value, problem: null } : { question: null, problem: answer.error });
    });
    return () => {
      isCurrent = false;
    };
  }, [call, questionId, attempt]);
  if (question?.state === 'open')
    return <OpenQuestion {...{ open, question, onBack, onClose }} onReload={() => setAttempt((number) => number + 1)} />;
  return (
    <Modal open={open} onClose={onClose} size="l" title={question?.title ?? t('words:needsYou')} footer={<BackButton onBack={onBack} />}>
      {question ? (
        <EndedQuestion question={question} />
      ) : problem ? (
        <LoadProblem
          className={styles.problem}
          text={problemText(problem)}
          retry={t('words:repeat')}
          onRetry={() => setAttempt(attempt + 1)}
        />
      ) : (
        <Loading text={t('loading')} />
      )}
    </Modal>
  );
}
