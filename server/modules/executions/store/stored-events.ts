import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';

/** Events whose step has an answer. */
const endsWithAnswer = new Set<ExecutionEvent['type']>(['step.completed', 'question.answered', 'question.expired']);

/** Removes the answer from an event for the log: an answer is stored with its step only. */
export function withoutAnswer(event: ExecutionEvent): ExecutionEvent {
  if (endsWithAnswer.has(event.type) && event.step) return { ...event, step: { ...event.step, result: null } };
  return event.type === 'execution.completed' ? { ...event, text: null } : event;
}

/** Returns the id of the step whose answer the stored event lacks, or null. Events of earlier versions have their answers. */
export function stepWithoutAnswer({ type, step }: ExecutionEvent): string | null {
  return endsWithAnswer.has(type) && step?.result === null ? step.stepId : null;
}

export function lacksFinalAnswer({ type, text }: ExecutionEvent): boolean {
  return type === 'execution.completed' && text === null;
}

/** Adds the answer of its step or execution to a stored event. */
export function withAnswer(
  event: ExecutionEvent,
  answers: { ofSteps: ReadonlyMap<string, string | null>; final: string | null },
): ExecutionEvent {
  const stepId = stepWithoutAnswer(event);
  if (stepId !== null && event.step) return { ...event, step: { ...event.step, result: answers.ofSteps.get(stepId) ?? null } };
  return lacksFinalAnswer(event) ? { ...event, text: answers.final } : event;
}
