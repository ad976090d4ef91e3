import { useRef } from 'react';
import type { Question } from '../../../../contract/executions/question.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Bell, ChevronRight } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels, type WorkspaceWindow } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { formatDate } from '../time/format-moment.ts';
import { QuestionForm } from './question-form.tsx';
import { questionKinds } from './question-kinds.tsx';
import styles from './questions.module.css';
import { useProjectName } from './use-project-name.ts';

/** "Needs you": the open questions of all projects, and the one that is being answered. */
export function QuestionsWindow() {
  const { panels, show } = usePanels();
  const shown = panels.window?.kind === 'questions' ? panels.window : null;
  // The contents stay while the window fades out.
  const last = useRef(shown);
  if (shown) last.current = shown;
  if (!last.current) return null;
  return <Questions open={shown !== null} questionId={last.current.questionId} onClose={() => show({ window: null })} />;
}

type QuestionsProps = { open: boolean; questionId: Extract<WorkspaceWindow, { kind: 'questions' }>['questionId']; onClose: () => void };

function Questions({ open, questionId, onClose }: QuestionsProps) {
  const { t } = useTranslation('questions');
  const { show } = usePanels();
  const items = useWorkspace((state) => state.questions.items);
  const back = () => show({ window: { kind: 'questions', questionId: null } });
  if (questionId !== null) return <QuestionForm key={questionId} open={open} questionId={questionId} onBack={back} onClose={onClose} />;
  return (
    <Modal open={open} onClose={onClose} size="m" title={t('words:needsYou')} description={t('about')} footer={<ListActions />}>
      {items.length === 0 ? (
        <p className={styles.none} data-testid="no-questions">
          {t('none')}
        </p>
      ) : (
        <ul className={styles.list} aria-label={t('words:needsYou')}>
          {items.map((question) => (
            <li key={question.id}>
              <QuestionRow question={question} onOpen={() => show({ window: { kind: 'questions', questionId: question.id } })} />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

function QuestionRow({ question, onOpen }: { question: Question; onOpen: () => void }) {
  const { t, language } = useTranslation('questions');
  const project = useProjectName(question.projectId);
  return (
    <button type="button" className={styles.row} onClick={onOpen} data-testid="question-row">
      <span className={styles.words}>
        <strong>{question.title}</strong>
        <span className={styles.ask}>
          {questionKinds[question.kind].about(question) || t(`reason.${question.reason}`, { used: question.room?.used ?? 0 })}
        </span>
        <small className={styles.place}>
          {project && <span>{project}</span>}
          <span className={styles.task}>{question.task}</span>
        </small>
        <small className={styles.place}>
          <span>{t('openedAt', { at: formatDate(question.openedAt, language) })}</span>
          <span>{t('dueAt', { at: formatDate(question.dueAt, language) })}</span>
        </small>
      </span>
      <ChevronRight size={18} aria-hidden />
    </button>
  );
}

function ListActions() {
  const { t } = useTranslation('questions');
  const { account } = useWorkspaceContext();
  const { show } = usePanels();
  const dispatch = useDispatch();
  return (
    <>
      {account && (
        <Button
          icon={<Bell size={16} aria-hidden />}
          className={styles.left}
          onClick={() => show({ window: { kind: 'connect', section: 'device' } })}
        >
          {t('notify')}
        </Button>
      )}
      <Button onClick={() => void dispatch({ type: 'questions.load' })}>{t('words:refresh')}</Button>
    </>
  );
}
