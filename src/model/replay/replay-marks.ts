import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { ReplayMark, ReplayMarkKind, SpentAt } from '../workspace-state.ts';
import type { ReplayAxis } from './replay-axis.ts';

/** Marks of one kind that are closer than this share of the axis are one mark: more would cover each other. */
const markShare = 0.01;
/** The maximum of points of the curve of what was spent. */
const maxSpentPoints = 120;

/** Returns the marks of a replay, in order: failures, questions, edits of people, and the most expensive step. `events` in order. */
export function replayMarks(events: readonly ExecutionEvent[], axis: ReplayAxis): ReplayMark[] {
  const nearMs = axis.durationMs * markShare;
  const marks: ReplayMark[] = [];
  const newest = new Map<ReplayMarkKind, ReplayMark>();
  const amountOf = amountsOf(events);
  let dearest: { event: number; amount: number; title: string } | null = null;
  for (const [at, event] of events.entries()) {
    const { amount } = amountOf(event);
    if (amount > (dearest?.amount ?? 0)) dearest = { event: at + 1, amount, title: event.step?.name ?? '' };
    const kind = kindOf(event);
    if (!kind) continue;
    const before = newest.get(kind);
    const placeMs = axis.placeOf(at + 1);
    if (before && placeMs - before.placeMs < nearMs) before.count += 1;
    else {
      const mark = { kind, event: at + 1, placeMs, count: 1, title: event.step?.name ?? event.question?.title ?? '' };
      newest.set(kind, mark);
      marks.push(mark);
    }
  }
  if (dearest) marks.push({ kind: 'cost', event: dearest.event, placeMs: axis.placeOf(dearest.event), count: 1, title: dearest.title });
  return marks.sort((a, b) => a.event - b.event);
}

/** Returns what the run had spent at places of the axis, growing; at most 120 points, the last one with the sum. The unit is that of `amountsOf`. */
export function spentAlong(events: readonly ExecutionEvent[], axis: ReplayAxis): SpentAt[] {
  const points: SpentAt[] = [];
  const everyMs = axis.durationMs / maxSpentPoints;
  const amountOf = amountsOf(events);
  let amount = 0;
  for (const [at, event] of events.entries()) {
    const { added } = amountOf(event);
    if (added === 0) continue;
    amount += added;
    const placeMs = axis.placeOf(at + 1);
    const last = points.at(-1);
    if (last && placeMs - last.placeMs < everyMs) last.amount = amount;
    else points.push({ placeMs, amount });
  }
  return points;
}

type Amount = { amount: number; added: number };

/**
 * Returns the function that says, event by event, what an ended step has cost and what of it is new. It is money when all that was paid is of
 * one currency and each price is known, else tokens. A model with a higher price may cost more with fewer tokens.
 */
function amountsOf(events: readonly ExecutionEvent[]): (event: ExecutionEvent) => Amount {
  const costs = events.flatMap((event) => (saysCost(event) ? (event.step?.cost ?? []) : []));
  const currencies = new Set(costs.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)));
  const isMoney = currencies.size === 1 && !costs.some(({ isUnknown }) => isUnknown);
  const known = new Map<string, number>();
  return (event) => {
    const { type, step } = event;
    if (!step || !saysCost(event)) return { amount: 0, added: 0 };
    const amount = (isMoney ? step.cost?.amounts[0]?.micros : step.usage?.totalTokens) ?? 0;
    // The cost of a step counts its earlier drafts; its tokens do not.
    const before = isMoney || type === 'step.charged' ? (known.get(step.stepId) ?? 0) : 0;
    known.set(step.stepId, amount);
    return { amount, added: Math.max(0, amount - before) };
  };
}

function kindOf({ type, step, question, text }: ExecutionEvent): ReplayMarkKind | null {
  switch (type) {
    case 'step.failed':
    case 'execution.failed':
      return 'failure';
    case 'question.opened':
      return 'question';
    case 'question.answered':
      return step?.isEdited || question?.answer?.args !== undefined ? 'edit' : null;
    case 'context.added':
      return text ? 'edit' : null;
    default:
      return null;
  }
}

const ends = new Set<ExecutionEvent['type']>(['step.completed', 'step.failed', 'step.cancelled', 'step.charged']);

function saysCost({ type, step }: ExecutionEvent): boolean {
  return ends.has(type) && (step?.usage != null || step?.cost !== undefined);
}
