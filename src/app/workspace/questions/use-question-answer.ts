import { type KeyboardEvent, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useImmer } from 'use-immer';
import type { AnswerAction, QuestionAnswer, QuestionDetails } from '../../../../contract/executions/question.ts';
import { withEscapedHidden } from '../../../../rules/text/hidden-characters.ts';
import type { Problem } from '../../../model/problem.ts';
import { isSendKey } from '../../../ui/typed-keys.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { confirmedVersions } from '../../answers/confirmed-versions.ts';
import type { InputProblems } from '../../answers/input-values.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { readFigure } from './budget-fields.tsx';
import { cardAnswer, ownText } from './card-answer.ts';
import { forgetQuestionDraft, type QuestionDraft, readQuestionDraft, writeQuestionDraft } from './question-draft.ts';
import { questionKinds } from './question-kinds.tsx';

type Sending = {
  action: AnswerAction | null;
  label: string | null;
  wrong: InputProblems;
  problem: Problem | null;
  isNoting: boolean;
  isStopping: boolean;
  isFigureWrong: boolean;
};

type Callbacks = { onClose: () => void; onReload: () => void };

/** The half-written answer of a question, and the ways to send it. */
export function useQuestionAnswer(question: QuestionDetails, callbacks: Callbacks) {
  const { readOnly } = useWorkspaceContext();
  const [draft, setDraft] = useImmer<QuestionDraft>(() => readQuestionDraft(question.id));
  const changeDraft = (changes: Partial<QuestionDraft>) => setDraft((state) => void Object.assign(state, changes));
  const state = useSending(question, callbacks);
  const given = readableArguments(question.call?.args ?? '');
  const args = draft.args ?? given;
  const isEdited = draft.args !== null && draft.args !== given;
  const isBroken = isEdited && !isJsonObject(args);
  /** Without inputs and buttons the text is the answer. */
  const isFreeAnswer = question.inputs.length === 0 && question.buttons.length === 0;

  useEffect(() => writeQuestionDraft(question.id, draft), [question.id, draft]);

  const ways = waysToAnswer(question, draft, isEdited ? args : null, state);
  const sendByKeys = (event: KeyboardEvent) => {
    if (!isSendKey(event) || readOnly) return;
    if (state.sending.isNoting) ways.askAgain();
    else if (!question.call || !isBroken) questionKinds[question.kind].main(ways, question, draft);
  };
  return { draft, setDraft, changeDraft, args, isEdited, isBroken, isFreeAnswer, sendByKeys, ...state, ...ways };
}

/** What happens to the answer: the action that is under way, wrong fields, and why the answer was refused. */
function useSending(question: QuestionDetails, { onClose, onReload }: Callbacks) {
  const dispatch = useDispatch();
  const form = useRef<HTMLDivElement>(null);
  const [sending, setSending] = useImmer<Sending>({
    action: null,
    label: null,
    wrong: {},
    problem: null,
    isNoting: false,
    isStopping: false,
    isFigureWrong: false,
  });
  const isBusy = sending.action !== null;
  const changeSending = (changes: Partial<Sending>) => setSending((state) => void Object.assign(state, changes));

  const send = async (answer: QuestionAnswer) => {
    if (isBusy) return;
    const again = confirmedVersions(sending.problem?.details?.map(({ params }) => params?.path) ?? []);
    changeSending({ action: answer.action, label: answer.label ?? null, wrong: {}, problem: null });
    const outcome = await dispatch({ type: 'question.answer', id: question.id, answer: { ...answer, ...again } });
    if (outcome.ok) {
      forgetQuestionDraft(question.id);
      onClose();
      return;
    }
    changeSending({ action: null, problem: outcome.error });
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
    flushSync(() => changeSending({ wrong: problems }));
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  };
  return { form, sending, changeSending, isBusy, send, clearProblem, pressed, setWrong };
}

/** The answers that the buttons send. `args`: the edited arguments of a call. */
function waysToAnswer(
  question: QuestionDetails,
  draft: QuestionDraft,
  args: string | null,
  { send, changeSending, setWrong }: ReturnType<typeof useSending>,
) {
  const { draft: agentText, reason, budget } = question;
  const comment = draft.text === '' ? {} : { text: draft.text };
  const askAgain = () => void send({ action: 'askAgain', ...(draft.note !== '' && { text: draft.note }) });
  const answerWith = (label: string | null | undefined) => {
    const { values, problems } = cardAnswer(question, draft, label);
    setWrong(problems);
    if (Object.keys(problems).length > 0) return;
    const given = { ...(Object.keys(values).length > 0 && { values }), ...comment };
    void send({ action: 'answer', ...(label !== undefined && { label }), ...(reason === 'card' ? given : {}) });
  };
  const decide = (action: AnswerAction) => {
    const approves = action === 'approve' || action === 'approveInRun';
    const saysMore = action === 'refuse' || action === 'enterResult';
    void send({ action, ...(approves ? args !== null && { args } : saysMore && comment) });
  };
  const setLimit = () => {
    const limit = budget ? readFigure(draft.text, budget) : null;
    if (limit === null) changeSending({ isFigureWrong: true });
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
  return { send, askAgain, answerWith, decide, setLimit, handOn };
}

export type WaysToAnswer = ReturnType<typeof waysToAnswer>;
export type QuestionAnswering = ReturnType<typeof useQuestionAnswer>;

/** Returns the arguments of a call with a line for each, and hidden characters by their numbers; unchanged if they are no JSON. */
function readableArguments(args: string): string {
  try {
    return withEscapedHidden(JSON.stringify(JSON.parse(args), null, 2));
  } catch {
    return args;
  }
}

/** Whether a text is a JSON object. */
function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
