import type { HandOff } from '../../../../contract/executions/execution.ts';
import type { Question, QuestionKind } from '../../../../contract/executions/question.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { elapsedBetween } from '../../../platform/clock.ts';
import { admitFiles, type FileBlock, FileRepository, type FilesInAnswer } from '../../files/index.ts';
import { InputFiles } from '../../inputs/index.ts';
import { pathsInRun } from '../files/paths-in-run.ts';
import { choiceOf } from '../graph/compiled-graph.ts';
import { failureFor } from '../store/failure-texts.ts';
import type { StepRow } from '../store/rows.ts';
import { skipSteps, storeFiles } from '../transitions/change-steps.ts';
import type { RunEnds } from '../transitions/end-run.ts';
import type { Transition } from '../transitions/transition.ts';
import { answerBudget, expireBudget } from './answer-budget.ts';
import { answerCall } from './answer-call.ts';
import { decideHosts } from './ask-hosts.ts';
import { answerRoom, endAtRoom } from './ask-room.ts';
import type { CheckedAnswer } from './check-answer.ts';
import { changedByPerson, demandSeen } from './demand-seen.ts';

type About = { it: Transition; step: StepRow; question: Question };
type Answered = About & { checked: CheckedAnswer; language: Language; filesInAnswer: FilesInAnswer };
type Due = About & { runEnds: Pick<RunEnds, 'failStep'> };

/** What follows from a question of a kind. `store/question-kinds.ts` says what it is. */
type AnswersOfKind = {
  /** Carries out an answer, and records it. */
  apply: (answered: Answered) => Promise<void>;
  /** Ends a question that is due, and records it. Returns true where that has ended the run. */
  expire: (due: Due) => Promise<boolean>;
};

export const answerKinds: Record<QuestionKind, AnswersOfKind> = {
  hand_off: {
    apply: changing((answered) => (answered.checked.action === 'askAgain' ? askAgain(answered) : handOn(answered))),
    expire: expiring(({ it, step }) => it.setStep(step, { handOff: step.handOff && { ...step.handOff, state: 'sent' as const } })),
  },
  person: { apply: answerCard, expire: expireByRule },
  tool: { apply: changing(decideCall), expire: expireByRule },
  unknown_outcome: { apply: changing(decideCall), expire: expireByRule },
  budget: {
    apply: changing(({ it, step, question, checked, language }) =>
      answerBudget(it, step, partOf(question, 'budget'), checked.given, language),
    ),
    expire: expiring(({ it, step, question }) => expireBudget(it, step, partOf(question, 'budget'))),
  },
  room: {
    apply: changing(({ it, step, question, checked }) => answerRoom(it, step, partOf(question, 'room'), checked)),
    expire: expiring(({ it, step }) => endAtRoom(it, step)),
  },
  install: {
    apply: changing(({ it, step, checked }) => decideHosts(it, step, checked.action)),
    expire: expiring(({ it, step }) => decideHosts(it, step, null)),
  },
};

/** Records an answer with the step that it has changed. */
function changing(change: (answered: Answered) => Promise<StepRow>): AnswersOfKind['apply'] {
  return async (answered) => {
    const step = await change(answered);
    answered.it.record('question.answered', { question: answered.question, step });
  };
}

/** Records the end of a question with the step that it has changed, which goes on. */
function expiring(change: (due: Due) => Promise<StepRow>): AnswersOfKind['expire'] {
  return async (due) => {
    const step = await change(due);
    due.it.record('question.expired', { question: due.question, step });
    return false;
  };
}

/** Returns what a question of a kind is about. */
function partOf<Part extends 'call' | 'budget' | 'room'>(question: Question, part: Part): NonNullable<Question[Part]> {
  const found = question[part];
  if (!found) throw new Error(`A question about ${part} does not have it.`);
  return found;
}

function decideCall({ it, step, question, checked }: Answered): Promise<StepRow> {
  return answerCall(it, step, partOf(question, 'call'), checked);
}

function askAgain({ it, step, checked }: Answered): Promise<StepRow> {
  const revision = { draft: step.result ?? '', note: checked.text };
  return it.setStep(step, { ...notDone, status: 'pending', result: null, choice: null, handOff: null, revision, ...newTurns(step) });
}

async function handOn({ it, step, checked, language, filesInAnswer }: Answered): Promise<StepRow> {
  const { action, text, overwrites } = checked;
  const state: HandOff['state'] = action === 'skip' ? 'skipped' : action === 'anotherRound' ? 'again' : 'sent';
  const isEdited = isEdit(checked, step);
  const handOff = step.handOff && { ...step.handOff, state, ...(isEdited && { isEdited: true as const }) };
  if (isEdited) {
    const { files } = await filesInAnswer(it.row.id, text);
    const changed = changedByPerson(files, text, step.result);
    await demandSeen(it, { step, files: changed, overwrites, language });
    if (changed.length > 0) storeFiles(it, step, changed);
  }
  return it.setStep(step, { handOff, ...(isEdited && { result: text }) });
}

/** An answer of a person's card; or the case that an agent did not name, or its answer once more. */
async function answerCard(given: Answered): Promise<void> {
  const { it, step, question, checked, language } = given;
  if (checked.action === 'askAgain') return changing(askAgain)(given);
  const answered = () => it.record('question.answered', { question });
  if (checked.action === 'skip') {
    answered();
    await skipSteps(it, [step]);
  } else if (question.reason === 'choice') {
    answered();
    it.record('step.completed', { step: await it.setStep(step, { status: 'completed', completedAt: it.now, choice: checked.label }) });
  } else {
    const files = await admitted(it, checked, language);
    const since = { ...step, startedAt: step.startedAt ?? new Date(question.openedAt) };
    await demandSeen(it, { step: since, files, overwrites: checked.overwrites, language });
    storeFiles(it, step, files);
    answered();
    await completeCard(it, step, { ...checked, files });
  }
}

/** Ends a question as its card says: the step is skipped, completes with a button, or fails. */
async function expireByRule({ it, step, question, runEnds }: Due): Promise<boolean> {
  const { whenDue } = question;
  it.record('question.expired', { question });
  if (whenDue === 'skip') await skipSteps(it, [step]);
  else if (typeof whenDue === 'object')
    await completeCard(it, step, { result: whenDue.choose ? `**${whenDue.choose}**` : '', label: whenDue.choose, files: [] });
  else return runEnds.failStep(it, step, failureFor({ code: 'question_expired' }, it.row.language, { agent: step.name }));
  return false;
}

async function completeCard(
  it: Transition,
  step: StepRow,
  { result, label, files }: Pick<CheckedAnswer, 'result' | 'label' | 'files'>,
): Promise<void> {
  const held = () => pathsInRun(it.tx(), it.row);
  const choice = await choiceOf(it.row.graph, step, { result, label, files, testRun: null, held });
  const completed = await it.setStep(step, {
    status: 'completed',
    completedAt: it.now,
    result,
    choice,
    error: null,
    durationMs: elapsedBetween(step.startedAt ?? it.now, it.now),
  });
  it.record('step.completed', { step: completed });
}

/** The next answer of the agent begins without the turns of the last one. */
const newTurns = ({ turns }: StepRow) => ({ turnsFrom: turns, toolUse: null, testRun: null, shortened: null, room: null, marks: null });

const notDone = { completedAt: null, durationMs: null, provider: null, model: null, usage: null, simulated: false, error: null };

/** Whether an answer hands on another text than that of the agent. */
export function isEdit({ action, text }: CheckedAnswer, step: StepRow): boolean {
  return action === 'handOn' && text.trim() !== '' && text !== step.result;
}

/** Returns the files of an answer. Throws `bad_request` for those that do not fit into the run. */
async function admitted(it: Transition, { files }: CheckedAnswer, language: Language): Promise<FileBlock[]> {
  if (files.length === 0) return [];
  const held = await new FileRepository(it.tx()).held(it.row.id);
  const { files: fitting, refused } = admitFiles({ files, refused: [] }, held, await new InputFiles(it.tx()).paths(it.row.id, files));
  if (refused.length > 0) {
    const errors = refused.map(({ path, reason }) => ({ path: 'values', message: `${path}: ${translate(language, `file.${reason}`)}` }));
    throw new ApiError('bad_request', { errors });
  }
  return fitting;
}
