import { answerTextMaxLength, type QuestionDetails } from '../../../../contract/executions/question.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { AnswerFields } from '../../answers/answer-field.tsx';
import { useRead } from '../../server-data/use-read.ts';
import { useCostText } from '../budgets/use-cost-text.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import { formatDate } from '../time/format-moment.ts';
import { BackButton } from './back-button.tsx';
import { ownText } from './card-answer.ts';
import { QuestionActions } from './question-actions.tsx';
import { questionKinds } from './question-kinds.tsx';
import { QuestionLinkButton } from './question-link-button.tsx';
import styles from './questions.module.css';
import { useProjectName } from './use-project-name.ts';
import { type QuestionAnswering, useQuestionAnswer } from './use-question-answer.ts';

/** What the model calls of a draft have cost so far. Nothing for a simulated one. */
function DraftCost({ question: { executionId, stepId, attempts } }: { question: QuestionDetails }) {
  const costText = useCostText();
  const { value } = useRead('execution.step', { params: { id: executionId, stepId } }, { when: attempts });
  const cost = value?.cost;
  return cost && (cost.amounts.length > 0 || cost.isUnknown) ? <Badge>{costText(cost)}</Badge> : null;
}

type OpenProps = { open: boolean; question: QuestionDetails; onBack: () => void; onClose: () => void; onReload: () => void };

/** A question that waits for its answer: what the run asks, the results before it, and the fields of the answer. */
export function OpenQuestion({ open, question, onBack, onClose, onReload }: OpenProps) {
  const { t, language } = useTranslation('questions');
  const { t: answersText } = useTranslation('answers');
  const { readOnly } = useWorkspaceContext();
  const project = useProjectName(question.projectId);
  const answering = useQuestionAnswer(question, { onClose, onReload });
  const { draft, setDraft, sending, clearProblem, form } = answering;
  const { inputs, reason, room } = question;
  const { Fields } = questionKinds[question.kind];
  const isCard = reason === 'card';
  const errorOf = (id: string) => {
    const wrong = sending.wrong[id];
    return wrong && answersText(`problem.${wrong}`);
  };

  return (
    <Modal
      open={open}
      onClose={onClose}
      size="l"
      mark={<BackButton onBack={onBack} />}
      title={question.title}
      description={
        <span className={styles.place}>
          {project && <span>{project}</span>}
          <span className={styles.task}>{question.task}</span>
          <span>{t('dueAt', { at: formatDate(question.dueAt, language) })}</span>
        </span>
      }
      footer={readOnly ? undefined : <QuestionActions question={question} answering={answering} />}
    >
      <div ref={form} className={styles.form} data-testid="question">
        <ProblemNote problem={sending.problem} className={styles.problem} />
        {question.text.trim() ? <LazyMarkdown text={question.text} /> : <p>{t(`reason.${reason}`, { used: room?.used ?? 0 })}</p>}
        {question.waiting.length > 0 && <p className={styles.place}>{t('waiting', { who: question.waiting.join(', ') })}</p>}
        {question.letter && (
          <p className={styles.place} data-testid="letter">
            {t(`letter.${question.letter.state}`, { to: question.letter.to })}
          </p>
        )}
        {question.before.length > 0 && <ResultsBefore question={question} />}
        {question.draft !== null && !sending.isNoting && (
          <AgentResult question={question} agentText={question.draft} answering={answering} />
        )}
        {Fields && <Fields {...{ question, answering, readOnly }} />}
        {isCard && <AnswerFields inputs={inputs} draft={draft} update={setDraft} errorOf={errorOf} onEdit={clearProblem} />}
        {isCard && !readOnly && <QuestionLinkButton questionId={question.id} />}
        {/* Last: a button that needs words finds them right above itself. */}
        {(isCard || sending.isNoting) && <AnswerText answering={answering} error={errorOf(ownText)} />}
      </div>
    </Modal>
  );
}

function ResultsBefore({ question: { before, draft } }: { question: QuestionDetails }) {
  const { t } = useTranslation('questions');
  return (
    <section className={styles.results} aria-labelledby="results-before">
      <h3 id="results-before">{t('before', { count: before.length })}</h3>
      {before.map(({ title, text, round }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the results never change
        <details key={at} className={styles.before} open={draft === null && at === before.length - 1}>
          <summary>
            {title}
            {round !== undefined && <span>{t('words:round', { round })}</span>}
          </summary>
          <section>
            <LazyMarkdown text={text} below={3} />
          </section>
        </details>
      ))}
    </section>
  );
}

type AgentResultProps = { question: QuestionDetails; agentText: string; answering: QuestionAnswering };

/** The result that a person checks, and may edit before it is handed on. */
function AgentResult({ question, agentText, answering }: AgentResultProps) {
  const { t } = useTranslation('questions');
  const { readOnly } = useWorkspaceContext();
  const { draft, changeDraft, sending, clearProblem, sendByKeys } = answering;
  return (
    <section className={styles.draft} aria-label={t('draft')}>
      <header>
        <h3>{t('draft')}</h3>
        {question.simulated && <SimulatedBadge />}
        {question.attempts > 1 && <Badge>{t('words:attemptCount', { count: question.attempts })}</Badge>}
        {question.usage && <Badge>{t('words:tokenCount', { count: question.usage.totalTokens })}</Badge>}
        <DraftCost question={question} />
        {question.actions.includes('handOn') && !readOnly && (
          <Button
            size="s"
            className={styles.right}
            onClick={() => changeDraft({ isEditing: !draft.isEditing, text: draft.isEditing ? '' : agentText })}
          >
            {t(draft.isEditing ? 'discardEdit' : 'edit')}
          </Button>
        )}
      </header>
      {draft.isEditing ? (
        <TextArea
          label={t('edited')}
          labelHidden
          grows
          rows={14}
          maxLength={answerTextMaxLength}
          value={draft.text}
          onKeyDown={sendByKeys}
          aside={t('characters', { count: draft.text.length, most: answerTextMaxLength })}
          error={sending.wrong[ownText] && t('editedEmpty')}
          onChange={(event) => {
            clearProblem(ownText);
            changeDraft({ text: event.target.value });
          }}
        />
      ) : (
        <LazyMarkdown text={agentText} below={3} />
      )}
    </section>
  );
}

/** The comment or the free answer; what the agent should change, when it is asked again. */
function AnswerText({ answering, error }: { answering: QuestionAnswering; error: string | undefined }) {
  const { t } = useTranslation('questions');
  const { readOnly } = useWorkspaceContext();
  const { draft, changeDraft, sending, clearProblem, sendByKeys, isFreeAnswer } = answering;
  const { isNoting } = sending;
  return (
    <TextArea
      key={isNoting ? 'note' : 'comment'}
      label={t(isNoting ? 'note' : isFreeAnswer ? 'words:yourAnswer' : 'comment')}
      error={error}
      grows
      rows={isNoting ? 5 : 3}
      maxLength={answerTextMaxLength}
      readOnly={readOnly}
      autoFocus={isNoting}
      value={isNoting ? draft.note : draft.text}
      onKeyDown={sendByKeys}
      onChange={(event) => {
        clearProblem(ownText);
        const { value } = event.target;
        changeDraft(isNoting ? { note: value } : { text: value });
      }}
    />
  );
}
