import { v7 } from 'uuid';
import type { AnswerAction, Question } from '../../../../contract/executions/question.ts';
import { type PersonSettings, questionMinutes, type WhenDue } from '../../../../contract/executions/run-graph.ts';
import { buttonsOf, linksOutOf } from '../../../../rules/run-graph/choose-links.ts';
import type { CompiledGraph, RunLink } from '../../../../rules/run-graph/run-graph.ts';
import type { RunState } from '../../../../rules/run-graph/run-state.ts';
import { defaultsOf } from '../../../platform/database/statement.ts';
import type { ToldEvent } from '../../hooks/index.ts';
import { originOf, toStepState } from '../graph/step-states.ts';
import { questionKinds } from '../store/question-kinds.ts';
import { openingQuestion, type QuestionRow, toQuestion } from '../store/question-rows.ts';
import type { StepRow } from '../store/rows.ts';
import { questions } from '../store/tables.ts';
import type { Transition } from '../transitions/transition.ts';

/** Characters of the task that a question shows. */
const shownTask = 300;
/** How long an account has to answer before it gets an email (ms). */
const emailAfterMs = 60_000;
const minuteMs = 60_000;

type Asking = Pick<Question, 'kind' | 'reason' | 'actions' | 'linkIds' | 'buttons' | 'call' | 'budget' | 'room' | 'install'> & {
  waiting: string[];
  person?: PersonSettings;
  whenDue: WhenDue;
};

/** Opens the question of a person's step. The step waits until it is answered. */
export async function askCard(change: Transition, compiled: CompiledGraph, step: StepRow, inputHash: string): Promise<void> {
  const nodeId = originOf(step);
  const person = compiled.nodes.get(nodeId)?.person;
  if (!person) throw new Error('The step is not the part of a person.');
  const waiting = await change.setStep(step, { status: 'waiting', startedAt: step.startedAt ?? change.now, completedAt: null, inputHash });
  change.record('step.waiting', { step: waiting });
  await openQuestion(change, waiting, {
    kind: 'person',
    reason: 'card',
    actions: ['answer', 'skip', 'stop'],
    linkIds: idsOf(linksOutOf(compiled, nodeId)),
    buttons: buttonsOf(compiled, nodeId),
    waiting: await targetsOf(change, linksOutOf(compiled, nodeId)),
    person,
    whenDue: person.whenDue ?? 'fail',
  });
}

/** Opens the question which case of its links an agent's answer is, after the agent named none. */
export async function askChoice(change: Transition, compiled: CompiledGraph, step: StepRow): Promise<void> {
  const nodeId = originOf(step);
  change.record('step.waiting', { step });
  await openQuestion(change, step, {
    kind: 'person',
    reason: 'choice',
    actions: ['answer', 'askAgain', 'stop'],
    linkIds: idsOf(linksOutOf(compiled, nodeId)),
    buttons: buttonsOf(compiled, nodeId),
    waiting: await targetsOf(change, linksOutOf(compiled, nodeId)),
    whenDue: 'fail',
  });
}

/** Opens the hand-off of a step's answer along links that hold, or at the end of a review loop. */
export async function askHandOff(
  change: Transition,
  step: StepRow,
  { links, reason, mayAskAgain }: { links: readonly RunLink[]; reason: 'hold' | 'limit'; mayAskAgain: boolean },
): Promise<void> {
  const actions: AnswerAction[] =
    reason === 'limit' ? ['handOn', 'anotherRound', 'stop'] : ['handOn', ...(mayAskAgain ? (['askAgain'] as const) : []), 'skip', 'stop'];
  const linkIds = idsOf(links);
  const waiting = await targetsOf(change, links);
  await openQuestion(change, step, { kind: 'hand_off', reason, actions, linkIds, buttons: [], waiting, whenDue: 'handOn' });
}

/** Returns the links of a step's answer that wait for a person: held ones that are taken, or all that leave a loop without rounds. */
export function heldLinks(
  { row }: Pick<Transition, 'row'>,
  state: RunState,
  step: StepRow,
  earlier: readonly StepRow[],
): { links: RunLink[]; reason: 'hold' | 'limit'; mayAskAgain: boolean } | null {
  const nodeId = originOf(step);
  const run = toStepState(step);
  const { compiled } = state;
  const all = linksOutOf(compiled, nodeId);
  const used = state.usedUpAt(nodeId, step.item);
  if (used?.backLinks.some(({ from, atLimit }) => from === nodeId && atLimit === 'ask')) {
    const leaving = all.filter((link) => !link.onFailure && link.maxRounds === undefined && !used.nodes.has(link.to));
    return { links: leaving.length > 0 ? leaving : all, reason: 'limit', mayAskAgain: false };
  }
  const taken = all.filter((link) => state.stateAfter(link, run) === 'taken');
  const links = taken.filter((link) => holds(row, link, earlier));
  return links.length === 0 ? null : { links, reason: 'hold', mayAskAgain: links.length === taken.length };
}

function holds({ holds: ofRun }: Transition['row'], link: RunLink, earlier: readonly StepRow[]): boolean {
  const own = ofRun && Object.hasOwn(ofRun.links, link.id) ? ofRun.links[link.id] : undefined;
  const hold = own ?? (ofRun?.all ? 'always' : link.hold);
  if (hold === 'once') return !earlier.some(({ handOff }) => handOff && handOff.state !== 'open' && handOff.linkIds.includes(link.id));
  return hold === 'always';
}

function idsOf(links: readonly RunLink[]): string[] {
  return links.map(({ id }) => id);
}

async function targetsOf(change: Transition, links: readonly RunLink[]): Promise<string[]> {
  const targets = new Set(links.map(({ to }) => to));
  const titles = (await change.steps()).flatMap((row) => (targets.has(originOf(row)) ? [row.agentTitle] : []));
  return [...new Set(titles)];
}

/** Opens a question about a step, and counts it. */
export async function openQuestion(change: Transition, step: StepRow, { kind, reason, person, whenDue, ...asking }: Asking): Promise<void> {
  const { row, now } = change;
  const question: QuestionRow = {
    ...defaultsOf(questions),
    id: v7(),
    executionId: row.id,
    userId: row.userId,
    projectId: row.projectId,
    pipelineId: row.pipelineId,
    stepId: step.stepId,
    nodeId: step.nodeId,
    round: step.round,
    item: step.item,
    kind,
    reason,
    asked: {
      ...asking,
      title: step.name,
      task: row.initialTask.slice(0, shownTask),
      text: person?.question ?? '',
      inputs: person?.inputs ?? [],
      ...(person?.email !== undefined && { letter: { to: person.email, state: 'waiting' as const } }),
      attempts: step.attempts,
      usage: step.usage,
      simulated: step.simulated,
    },
    openedAt: now,
    whenDue,
    dueAt: new Date(now.getTime() + (person?.dueMinutes ?? questionMinutes) * minuteMs),
    email: person?.email ?? null,
    emailDueAt: person?.email === undefined ? new Date(now.getTime() + emailAfterMs) : now,
  };
  change.addWrite(openingQuestion(question));
  change.tell(toldQuestion(question));
  change.set({ openQuestions: row.openQuestions + 1 });
  change.record('question.opened', { question: toQuestion(question) });
}

/** Tells receivers of an open question; of one about a budget, that the budget is reached. */
function toldQuestion(question: QuestionRow): ToldEvent {
  const { id: questionId, executionId, userId, projectId, kind, reason, asked, openedAt: at, dueAt } = question;
  const { title, task, text, call, budget } = asked;
  const texts = { title, task, text, ...(call && { tool: call.tool, args: call.args }) };
  const about = {
    executionId,
    questionId,
    kind,
    reason,
    dueAt: dueAt.toISOString(),
    ...(budget && { limit: budget.kind, span: budget.span }),
    texts,
  };
  return { event: questionKinds[kind].event, userId, projectId, about, at };
}
