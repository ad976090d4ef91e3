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
    const amount = amountOf(event);
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
    const added = amountOf(event);
    if (added === 0) continue;
    amount += added;
    const placeMs = axis.placeOf(at + 1);
    const last = points.at(-1);
    if (last && placeMs - last.placeMs < everyMs) last.amount = amount;
    else points.push({ placeMs, amount });
  }
  return points;
}

/**
 * Returns the function that says what an ended step has cost. It is money when all that was paid is of one currency and each price is
 * known, else tokens. A model with a higher price may cost more with fewer tokens.
 */
function amountsOf(events: readonly ExecutionEvent[]): (event: ExecutionEvent) => number {
  const costs = events.flatMap((event) => (endsWithUsage(event) ? (event.step?.cost ?? []) : []));
  const currencies = new Set(costs.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)));
  const isMoney = currencies.size === 1 && !costs.some(({ isUnknown }) => isUnknown);
  return (event) => {
    if (!endsWithUsage(event)) return 0;
    return (isMoney ? event.step?.cost?.amounts[0]?.micros : event.step?.usage?.totalTokens) ?? 0;
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

function endsWithUsage({ type, step }: ExecutionEvent): boolean {
  return (type === 'step.completed' || type === 'step.failed' || type === 'step.cancelled') && step?.usage != null;
}
