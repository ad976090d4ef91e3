import { answerTextMaxLength, type QuestionDetails } from '../../../../contract/executions/question.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { AnswerField } from '../../answers/answer-field.tsx';
import { useCostText } from '../budgets/use-cost-text.ts';
import { useRemoteData } from '../lists/use-remote-data.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import { formatDate } from '../time/format-moment.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { BackButton } from './back-button.tsx';
import { BudgetFields } from './budget-fields.tsx';
import { CallFields } from './call-fields.tsx';
import { QuestionActions } from './question-actions.tsx';
import { QuestionLinkButton } from './question-link-button.tsx';
import styles from './questions.module.css';
import { useProjectName } from './use-project-name.ts';
import { ownText, useQuestionAnswer } from './use-question-answer.ts';

/** What the model calls of a draft have cost so far. Nothing for a simulated one. */
function DraftCost({ question: { executionId, stepId, attempts } }: { question: QuestionDetails }) {
  const costText = useCostText();
  const { value } = useRemoteData('readStep', [executionId, stepId], `${executionId} ${stepId} ${attempts}`);
  const cost = value?.cost;
  return cost && (cost.amounts.length > 0 || cost.isUnknown) ? <Badge>{costText(cost)}</Badge> : null;
}

type OpenProps = { open: boolean; question: QuestionDetails; onBack: () => void; onClose: () => void; onReload: () => void };

/** A question that waits for its answer: what the run asks, the results before it, and the fields of the answer. */
export function OpenQuestion({ open, question, onBack, onClose, onReload }: OpenProps) {
  const { t, language } = useTranslation('questions');
  const { t: answersText } = useTranslation('answers');
  const problemText = useProblemText();
  const { readOnly } = useWorkspaceContext();
  const project = useProjectName(question.projectId);
  const answering = useQuestionAnswer(question, { onClose, onReload });
  const { draft, setDraft, sending, setSending, args, isBroken, clearProblem, sendByKeys, form, isFreeAnswer } = answering;
  const { draft: agentText, inputs, actions, reason, call, budget, room } = question;
  const isTextWrong = sending.wrong[ownText];

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
        {sending.problem && (
          <p role="alert" className={styles.problem}>
            {problemText(sending.problem)}
          </p>
        )}
        {question.text.trim() ? <LazyMarkdown text={question.text} /> : <p>{t(`reason.${reason}`, { used: room?.used ?? 0 })}</p>}
        {question.waiting.length > 0 && <p className={styles.place}>{t('waiting', { who: question.waiting.join(', ') })}</p>}
        {question.letter && (
          <p className={styles.place} data-testid="letter">
            {t(`letter.${question.letter.state}`, { to: question.letter.to })}
          </p>
        )}
        {question.before.length > 0 && (
          <section className={styles.results} aria-labelledby="results-before">
            <h3 id="results-before">{t('before', { count: question.before.length })}</h3>
            {question.before.map(({ title, text, round }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the results never change
              <details key={at} className={styles.before} open={agentText === null && at === question.before.length - 1}>
                <summary>
                  {title}
                  {round !== undefined && <span>{t('round', { round })}</span>}
                </summary>
                <section>
                  <LazyMarkdown text={text} />
                </section>
              </details>
            ))}
          </section>
        )}
        {agentText !== null && !sending.isNoting && (
          <section className={styles.draft} aria-label={t('draft')}>
            <header>
              <h3>{t('draft')}</h3>
              {question.simulated && <SimulatedBadge />}
              {question.attempts > 1 && <Badge>{t('attempts', { count: question.attempts })}</Badge>}
              {question.usage && <Badge>{t('tokens', { count: question.usage.totalTokens })}</Badge>}
              <DraftCost question={question} />
              {actions.includes('handOn') && !readOnly && (
                <Button
                  size="s"
                  className={styles.right}
                  onClick={() =>
                    setDraft((state) => {
                      state.isEditing = !state.isEditing;
                      state.text = state.isEditing ? agentText : '';
                    })
                  }
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
                  setDraft((state) => {
                    state.text = event.target.value;
                  });
                }}
              />
            ) : (
              <LazyMarkdown text={agentText} />
            )}
          </section>
        )}
        {budget && (
          <BudgetFields
            {...{ limit: budget, figure: draft.text, isWrong: sending.isFigureWrong, readOnly }}
            onFigure={(next) => {
              setDraft((state) => {
                state.text = next;
              });
              setSending((state) => {
                state.isFigureWrong = false;
              });
            }}
          />
        )}
        {call && (
          <CallFields
            {...{ question: { kind: question.kind, projectId: question.projectId, call }, args, text: draft.text, isBroken, readOnly }}
            onArgs={(next) =>
              setDraft((state) => {
                state.args = next;
              })
            }
            onText={(next) =>
              setDraft((state) => {
                state.text = next;
              })
            }
          />
        )}
        {reason === 'card' &&
          inputs.map((input) => {
            const wrong = sending.wrong[input.id];
            return (
              <AnswerField
                key={input.id}
                input={input}
                value={draft.texts[input.id] ?? ''}
                file={draft.files[input.id]}
                error={wrong && answersText(`problem.${wrong}`)}
                onChange={(value) => {
                  clearProblem(input.id);
                  setDraft((state) => {
                    if (value === '') delete state.texts[input.id];
                    else state.texts[input.id] = value;
                  });
                }}
                onFile={(file) => {
                  clearProblem(input.id);
                  setDraft((state) => {
                    if (file) state.files[input.id] = file;
                    else delete state.files[input.id];
                  });
                }}
              />
            );
          })}
        {(reason === 'card' || sending.isNoting) && (
          <TextArea
            key={sending.isNoting ? 'note' : 'comment'}
            label={t(sending.isNoting ? 'note' : isFreeAnswer ? 'answer' : 'comment')}
            error={isTextWrong && answersText(`problem.${isTextWrong}`)}
            grows
            rows={sending.isNoting ? 5 : 3}
            maxLength={answerTextMaxLength}
            readOnly={readOnly}
            autoFocus={sending.isNoting}
            value={sending.isNoting ? draft.note : draft.text}
            onKeyDown={sendByKeys}
            onChange={(event) => {
              clearProblem(ownText);
              setDraft((state) => {
                state[sending.isNoting ? 'note' : 'text'] = event.target.value;
              });
            }}
          />
        )}
        {reason === 'card' && !readOnly && <QuestionLinkButton questionId={question.id} />}
      </div>
    </Modal>
  );
}
