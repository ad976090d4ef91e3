import { mergeTextPieces } from '../../../contract/executions/streamed-text.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';

type Thought = Extract<ServerMessage, { type: 'agent_thought' }>;
export type PartialThought = Thought & { partial: true };
/** A piece of a streamed text, or of a streamed log. */
export type PartialText = PartialThought | Extract<ServerMessage, { type: 'test_log' }>;

export function isPartialText(message: ServerMessage): message is PartialText {
  return message.type === 'test_log' || (message.type === 'agent_thought' && message.partial);
}

/** The maximum of text that waits for one reader (UTF-16 units, all steps together). */
const maxWaiting = 512 * 1024;

/**
 * Streamed texts that wait for a slow reader: one message for each step or command, with everything that was added meanwhile. Text beyond
 * the limit is dropped; the reader then detects a gap and requests the whole text.
 */
export function createPendingTexts<Text extends PartialText>() {
  const byText = new Map<string, Text>();
  let length = 0;

  return {
    isEmpty: () => byText.size === 0,
    add(message: Text) {
      const key = keyOf(message);
      const held = byText.get(key);
      const piece = held ? mergeTextPieces(pieceOf(held), pieceOf(message)) : pieceOf(message);
      length += piece.content.length - (held?.content.length ?? 0);
      byText.set(key, { ...message, ...piece });
      if (length > maxWaiting) this.clear();
    },
    /** Returns the waiting messages and clears them. */
    take(): Text[] {
      const messages = [...byText.values()];
      this.clear();
      return messages;
    },
    clear() {
      byText.clear();
      length = 0;
    },
  };
}

function keyOf(message: PartialText): string {
  const step = `${message.type}:${message.executionId}:${message.stepId}`;
  return message.type === 'agent_thought' ? (message.commandId ?? step) : step;
}

function pieceOf({ position = 0, content }: PartialText) {
  return { position, content };
}
