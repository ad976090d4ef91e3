import { expect, test } from 'vitest';
import { executionUpdate, type ServerMessage, serverMessage } from '../../../../contract/realtime.ts';
import { messageText } from '../../../../server/http/message-text.ts';
import { planted, samplesOf, secret } from '../../../support/hostile/planted-keys.ts';

test('R15.01 no message over a socket or an event stream holds a key that its schema does not name, at any depth', () => {
  for (const schema of [...serverMessage.options, executionUpdate]) {
    for (const message of samplesOf(schema)) {
      expect(JSON.parse(String(messageText(planted(schema, message) as ServerMessage)))).toEqual(message);
    }
  }
});

test('R15.01 a message loses a key that only another kind of message may have', () => {
  const message: ServerMessage = { type: 'agent_command_result', agentId: 'a', result: 'Done', projectId: null, executionId: null };
  expect(JSON.parse(String(messageText({ ...message, userId: 'u', ...secret } as ServerMessage)))).toEqual(message);
});

test('R15.01 a message is filtered and written once for all its listeners', () => {
  const message: ServerMessage = { type: 'connected', userId: 'u' };
  expect(messageText(message)).toBe(messageText(message));
});
