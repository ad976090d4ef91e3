import { applyTextPiece } from '../../../../contract/executions/streamed-text.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { Store } from '../store/store.ts';

/** A part of a text that grows while a step runs: the agent's answer, or the log of its tests. */
export type StreamedMessage = Extract<ServerMessage, { type: 'agent_thought' | 'test_log' }>;

/** The length of the shown end of a log (UTF-16 units): a log may be long, and comes often. */
const shownLogLength = 32 * 1024;

/** Shows a part of a text of the followed run. Returns `missed` when parts before it are missing, and `ignored` for texts of no running step. */
export function showStreamedText(store: Store, message: StreamedMessage): 'shown' | 'missed' | 'ignored' {
  const { stepId } = message;
  const at = store.state.run.steps.findIndex((step) => step.stepId === stepId && step.status === 'running');
  if (!stepId || at < 0) return 'ignored';
  if (message.type === 'test_log') return showLog(store, { ...message, stepId });
  if (!message.partial) return 'ignored';
  const text = applyTextPiece(store.state.run.partial[stepId] ?? '', { position: message.position ?? 0, content: message.content });
  if (text === null) return 'missed';
  store.update(({ run }) => {
    run.partial[stepId] = text;
    const step = run.steps[at];
    // The outcome says it too, but a text is marked from its first word.
    if (step && message.simulated) step.simulated = true;
    // The model answers: the wait before its call is over.
    if (step?.wait) delete step.wait;
  });
  return 'shown';
}

function showLog(store: Store, { stepId, content, position }: { stepId: string; content: string; position: number }): 'shown' | 'missed' {
  const known = store.state.run.logs[stepId] ?? { text: '', length: 0 };
  if (position !== 0 && position !== known.length) return 'missed';
  store.update(({ run }) => {
    const before = position === 0 ? '' : known.text;
    run.logs[stepId] = { text: (before + content).slice(-shownLogLength), length: position + content.length };
  });
  return 'shown';
}
