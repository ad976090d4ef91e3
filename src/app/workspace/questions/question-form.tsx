import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useImmer } from 'use-immer';
import {
  type AnswerAction,
  answerTextMaxLength,
  type QuestionAnswer,
  type QuestionDetails,
} from '../../../../contract/executions/question.ts';
import type { Problem } from '../../../model/problem.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useRead } from '../../../workers/bridge/use-workspace.ts';
import { AnswerField } from '../../answers/answer-field.tsx';
import { type InputProblems, inputValues } from '../../answers/input-values.ts';
import { useCostText } from '../budgets/use-cost-text.ts';
import { useRemoteData } from '../lists/use-remote-data.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import { formatDate } from '../time/format-moment.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { BackButton } from './back-button.tsx';
import { BudgetFields, readFigure } from './budget-fields.tsx';
import { isJsonObject, readableArguments } from './call-arguments.ts';
import { CallFields } from './call-fields.tsx';
import { forgetQuestionDraft, type QuestionDraft, readQuestionDraft, writeQuestionDraft } from './question-draft.ts';
import { QuestionLinkButton } from './question-link-button.tsx';
import styles from './questions.module.css';
import { useProjectName } from './use-project-name.ts';

type FormProps = { open: boolean; questionId: string; onBack: () => void; onClose: () => void };

type Reading = { question: QuestionDetails | null; problem: Problem | null };

/** One question: what the run asks, the texts before it, and its answer. */
export function QuestionForm({ open, questionId, onBack, onClose }: FormProps) {
  const { t } = useTranslation('questions');
  const problemText = useProblemText();
  const read = useRead();
  const [{ question, problem }, setReading] = useState<Reading>({ question: null, problem: null });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    let isCurrent = true;
    void read('readQuestion', questionId).then((answer) => {
      if (isCurrent) setReading(answer.ok ? { question: answer.value, problem: null } : { question: null, problem: answer.error });
    });
    return () => {
      isCurrent = false;
    };
  }, [read, questionId, attempt]);
  if (question?.state === 'open')
    return <OpenQuestion {...{ open, question, onBack, onClose }} onReload={() => setAttempt((number) => number + 1)} />;
  return (
    <Modal open={open} onClose={onClose} size="l" title={question?.title ?? t('title')} footer={<BackButton onBack={onBack} />}>
      {question ? (
        <Ended question={question} />
      ) : problem ? (
        <div role="alert" className={styles.problem}>
          <p>{problemText(problem)}</p>
          <Button size="s" onClick={() => setAttempt(attempt + 1)}>
            {t('retry')}
          </Button>
        </div>
      ) : (
        <p role="status">
          <Spinner size={16} /> {t('loading')}
        </p>
      )}
    </Modal>
  );
}

/** A question that is not open any more: who answered it, and how. One's own text stays, to be copied. */
function Ended({ question }: { question: QuestionDetails }) {
  const { t, language } = useTranslation('questions');
  const own = readQuestionDraft(question.id).text;
  const { state, answer, answeredBy, answeredAt, draft, inputs } = question;
  const values = Object.entries(answer?.values ?? {});
  return (
    <div className={styles.form} data-testid="question-ended">
      <p role="status">
        <strong>
          {state === 'answered' && answeredBy
            ? t('answeredBy', { name: answeredBy, at: formatDate(answeredAt ?? '', language) })
            : t(`state.${state}`)}
        </strong>
      </p>
      {answer && (
        <p>
          {t(`did.${answer.action}`)}
          {typeof answer.label === 'string' && `: ${answer.label}`}
        </p>
      )}
      {values.length > 0 && (
        <dl className={styles.values}>
          {values.map(([id, value]) => (
            <div key={id}>
              <dt>{inputs.find((input) => input.id === id)?.label ?? id}</dt>
              <dd>{typeof value === 'object' ? value.name : String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {answer?.text && <LazyMarkdown text={answer.text} />}
      {draft !== null && draft !== answer?.text && (
        <details className={styles.before}>
          <summary>{t('draft')}</summary>
          <section>
            <LazyMarkdown text={draft} />
          </section>
        </details>
      )}
      {own !== '' && <TextArea label={t('ownText')} readOnly rows={6} value={own} />}
    </div>
  );
}

/** What the model calls of a draft have cost so far. Nothing for a simulated one. */
function DraftCost({ question: { executionId, stepId, attempts } }: { question: QuestionDetails }) {
  const costText = useCostText();
  const { value } = useRemoteData('readStep', [executionId, stepId], `${executionId} ${stepId} ${attempts}`);
  const cost = value?.cost;
  return cost && (cost.amounts.length > 0 || cost.isUnknown) ? <Badge>{costText(cost)}</Badge> : null;
}

/** What can be done with a call of a tool, in the order of the buttons: the main one last. */
const callActions = ['refuse', 'enterResult', 'skipCall', 'repeat', 'approveInRun', 'approve'] as const;

/** The same of a budget. */
const budgetActions = ['endHere', 'newLimit', 'asMuchAgain', 'goOn'] as const;

/** The key of the text among the wrong fields: no input has this id. */
const ownText = '*';

type OpenProps = { open: boolean; question: QuestionDetails; onBack: () => void; onClose: () => void; onReload: () => void };

type Sending = {
  action: AnswerAction | null;
  label: string | null;
  wrong: InputProblems;
  problem: Problem | null;
  isNoting: boolean;
  isStopping: boolean;
  isFigureWrong: boolean;
};

function OpenQuestion({ open, question, onBack, onClose, onReload }: OpenProps) {
  const { t, language } = useTranslation('questions');
  const { t: answersText } = useTranslation('answers');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const { readOnly } = useWorkspaceContext();
  const project = useProjectName(question.projectId);
  const form = useRef<HTMLDivElement>(null);
  const askAgainButton = useRef<HTMLButtonElement>(null);
  const [draft, setDraft] = useImmer<QuestionDraft>(() => readQuestionDraft(question.id));
  const [sending, setSending] = useImmer<Sending>({
    ...{ action: null, label: null, wrong: {}, problem: null, isNoting: false, isStopping: false, isFigureWrong: false },
  });
  const { draft: agentText, inputs, buttons, actions, reason, call, budget } = question;
  const args = draft.args ?? readableArguments(call?.args ?? '');
  const isEdited = draft.args !== null && draft.args !== readableArguments(call?.args ?? '');
  const isBroken = isEdited && !isJsonObject(args);
  const isBusy = sending.action !== null;
  const isTextWrong = sending.wrong[ownText];

  useEffect(() => writeQuestionDraft(question.id, draft), [question.id, draft]);

  const send = async (answer: QuestionAnswer) => {
    if (isBusy) return;
    setSending((state) => {
      Object.assign(state, { action: answer.action, label: answer.label ?? null, wrong: {}, problem: null });
    });
    const outcome = await dispatch({ type: 'question.answer', id: question.id, answer });
    if (outcome.ok) {
      forgetQuestionDraft(question.id);
      onClose();
      return;
    }
    setSending((state) => {
      state.action = null;
      state.problem = outcome.error;
    });
    if (outcome.error.code === 'question_answered' || outcome.error.code === 'question_withdrawn') onReload();
  };
  const clearProblem = (id: string) =>
    setSending((state) => {
      delete state.wrong[id];
    });
  /** The pressed button is busy and keeps the focus; the others are off meanwhile. */
  const pressed = (action: AnswerAction, isOff = false) => ({
    busy: sending.action === action,
    disabled: sending.action !== action && (isBusy || isOff),
  });
  /** Marks wrong fields: the first one gets the focus, which scrolls to it. */
  const setWrong = (problems: InputProblems) => {
    flushSync(() =>
      setSending((state) => {
        state.wrong = problems;
      }),
    );
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  };
  /** Without inputs and buttons the text is the answer. */
  const isFreeAnswer = inputs.length === 0 && buttons.length === 0;
  const comment = draft.text === '' ? {} : { text: draft.text };
  const askAgain = () => void send({ action: 'askAgain', ...(draft.note !== '' && { text: draft.note }) });
  const answerWith = (label: string | null | undefined) => {
    const { values, problems } = inputValues(inputs, draft);
    if (reason === 'card' && isFreeAnswer && draft.text.trim() === '') problems[ownText] = 'required';
    setWrong(problems);
    if (Object.keys(problems).length > 0) return;
    const given = { ...(Object.keys(values).length > 0 && { values }), ...comment };
    void send({ action: 'answer', ...(label !== undefined && { label }), ...(reason === 'card' ? given : {}) });
  };
  const decide = (action: AnswerAction) =>
    void send({
      action,
      ...(action === 'approve' || action === 'approveInRun'
        ? isEdited && { args }
        : action === 'repeat' || action === 'skipCall'
          ? {}
          : comment),
    });
  const setLimit = () => {
    const limit = budget ? readFigure(draft.text, budget) : null;
    if (limit === null) setSending((state) => void Object.assign(state, { isFigureWrong: true }));
    else void send({ action: 'newLimit', limit });
  };
  /** An edited result that is empty is not handed on: the agent's own text would go in its place. */
  const handOn = () => {
    if (draft.isEditing && draft.text.trim() === '') {
      setWrong({ [ownText]: 'required' });
      return;
    }
    void send({ action: 'handOn', ...(draft.isEditing && draft.text !== agentText ? comment : {}) });
  };
  const main = budget
    ? () => (draft.text.trim() === '' ? void send({ action: actions[0] ?? 'endHere' }) : setLimit())
    : call
      ? () => !isBroken && decide(actions[0] ?? 'stop')
      : actions.includes('answer')
        ? () => answerWith(buttons.length > 0 ? buttons[0] : undefined)
        : handOn;

  const sendByKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || readOnly) return;
    if (sending.isNoting) askAgain();
    else main();
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
      footer={
        readOnly ? undefined : (
          <div className={styles.actions}>
            <span className={styles.left}>
              {actions.includes('skip') && (
                <Button variant="ghost" {...pressed('skip')} onClick={() => void send({ action: 'skip' })}>
                  {t(reason === 'card' ? 'skipCard' : 'skip')}
                </Button>
              )}
              {actions.includes('stop') && (
                <Button
                  variant={sending.isStopping ? 'danger' : 'ghost'}
                  {...pressed('stop')}
                  onClick={() =>
                    sending.isStopping
                      ? void send({ action: 'stop' })
                      : setSending((state) => {
                          state.isStopping = true;
                        })
                  }
                >
                  {t(sending.isStopping ? 'stopSurely' : 'stop')}
                </Button>
              )}
            </span>
            {actions.includes('askAgain') && !sending.isNoting && (
              <Button
                ref={askAgainButton}
                disabled={isBusy}
                onClick={() =>
                  setSending((state) => {
                    state.isNoting = true;
                  })
                }
              >
                {t('askAgain')}
              </Button>
            )}
            {sending.isNoting ? (
              <>
                <Button
                  disabled={isBusy}
                  onClick={() => {
                    flushSync(() =>
                      setSending((state) => {
                        state.isNoting = false;
                      }),
                    );
                    askAgainButton.current?.focus();
                  }}
                >
                  {t('backToResult')}
                </Button>
                <Button variant="primary" busy={isBusy} onClick={askAgain}>
                  {t('sendNote')}
                </Button>
              </>
            ) : (
              <>
                {actions.includes('anotherRound') && (
                  <Button {...pressed('anotherRound')} onClick={() => void send({ action: 'anotherRound' })}>
                    {t('anotherRound')}
                  </Button>
                )}
                {budgetActions.map(
                  (action) =>
                    actions.includes(action) && (
                      <Button
                        key={action}
                        variant={action === actions[0] ? 'primary' : 'secondary'}
                        {...pressed(action, action === 'newLimit' && draft.text.trim() === '')}
                        onClick={action === 'newLimit' ? setLimit : () => void send({ action })}
                      >
                        {t(action)}
                      </Button>
                    ),
                )}
                {callActions.map(
                  (action) =>
                    actions.includes(action) && (
                      <Button
                        key={action}
                        variant={action === 'approve' ? 'primary' : 'secondary'}
                        {...pressed(
                          action,
                          (action.startsWith('approve') && isBroken) || (action === 'enterResult' && draft.text.trim() === ''),
                        )}
                        onClick={() => decide(action)}
                      >
                        {t(action === 'approve' && isEdited ? 'approveEdited' : action)}
                      </Button>
                    ),
                )}
                {actions.includes('handOn') && (
                  <Button variant="primary" busy={isBusy} onClick={handOn}>
                    {t(draft.isEditing ? 'handOnEdited' : reason === 'limit' ? 'handOnAnyway' : 'handOn')}
                  </Button>
                )}
                {actions.includes('answer') &&
                  (buttons.length > 0 ? (
                    buttons.map((label, at) => (
                      <Button
                        key={label ?? ''}
                        variant={at === 0 ? 'primary' : 'secondary'}
                        busy={isBusy && sending.label === label}
                        disabled={isBusy && sending.label !== label}
                        onClick={() => answerWith(label)}
                      >
                        {label ?? t('otherwise')}
                      </Button>
                    ))
                  ) : (
                    <Button variant="primary" busy={isBusy} onClick={() => answerWith(undefined)}>
                      {t('send')}
                    </Button>
                  ))}
              </>
            )}
          </div>
        )
      }
    >
      <div ref={form} className={styles.form} data-testid="question">
        {sending.problem && (
          <p role="alert" className={styles.problem}>
            {problemText(sending.problem)}
          </p>
        )}
        {question.text.trim() ? <LazyMarkdown text={question.text} /> : <p>{t(`reason.${reason}`)}</p>}
        {question.waiting.length > 0 && <p className={styles.place}>{t('waiting', { who: question.waiting.join(', ') })}</p>}
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
