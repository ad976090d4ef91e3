import type { AnswerAction, RoomReached } from '../../../../contract/executions/question.ts';
import type { StepRow } from '../store/rows.ts';
import { roomOfStep } from '../tools/step-room.ts';
import { closeCalls } from '../transitions/change-steps.ts';
import type { Transition } from '../transitions/transition.ts';
import { openQuestion } from './ask-person.ts';
import type { CheckedAnswer } from './check-answer.ts';

/** Leaves a step that has used its turns, its calls, or the length of both, with a question. It goes on from its stored turns. */
export async function askRoom(change: Transition, step: StepRow, reached: RoomReached): Promise<void> {
  const waiting = await change.setStep(step, { status: 'waiting', completedAt: null });
  change.record('step.waiting', { step: waiting });
  const actions: AnswerAction[] = reached.more > 0 ? ['asMuchAgain', 'handOn', 'stop'] : ['handOn', 'stop'];
  await openQuestion(change, waiting, {
    kind: 'room',
    reason: reached.kind,
    actions,
    linkIds: [],
    buttons: [],
    waiting: [],
    whenDue: 'handOn',
    room: reached,
  });
}

/** Carries out what a person has decided about a step that has used its room: it gets as much again, or hands on what it has said. Returns the step. */
export async function answerRoom(
  it: Transition,
  step: StepRow,
  { kind, more }: RoomReached,
  { action, text }: Pick<CheckedAnswer, 'action' | 'text'>,
): Promise<StepRow> {
  const room = roomOfStep(step);
  if (action === 'handOn') return endAtRoom(it, step, text);
  const added = kind === 'turns' ? { turns: room.turns + more } : { calls: room.calls + more };
  return it.setStep(step, { status: 'pending', room: { ...room, ...added, isTold: false } });
}

/** Ends a step with what it has said, or with the text of a person. It completes as any other, with its files and marked as cut. */
export async function endAtRoom(it: Transition, step: StepRow, text = ''): Promise<StepRow> {
  closeCalls(it, step);
  const room = { ...roomOfStep(step), handsOn: true as const, ...(text.trim() !== '' && { text }) };
  const toolUse = step.toolUse && { ...step.toolUse, current: null };
  return it.setStep(step, { status: 'pending', toolUse, room });
}
