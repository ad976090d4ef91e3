import { expect, test, vi } from 'vitest';
import { createEventStream, type StreamEvent } from '../../../../server/http/event-stream.ts';
import { secret } from '../../../support/hostile/planted-keys.ts';

const thought = (content: string): StreamEvent['data'] => ({
  ...{ type: 'agent_thought', agentId: 'a', content, partial: false, projectId: null, executionId: null, stepId: null },
});
const event = (id: string): StreamEvent => ({ id, data: thought(id) });
async function* missed(...ids: string[]): AsyncGenerator<StreamEvent> {
  for (const id of ids) yield event(id);
}

/** Reads until `count` events have come, and returns their ids. */
async function take(stream: AsyncIterable<unknown>, count: number): Promise<string[]> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if ((text.match(/^id: /gm) ?? []).length >= count) break;
  }
  return [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
}

test('W7.04 a stream sends the missed events first, then the new ones, each once', async () => {
  const onClosed = vi.fn();
  const events = createEventStream(missed('1', '2', '3'), onClosed);
  for (const id of ['3', '4']) events.push(event(id));
  events.heartbeat();
  expect(await take(events.stream, 4)).toEqual(['1', '2', '3', '4']);
  await vi.waitFor(() => expect(onClosed).toHaveBeenCalledOnce(), { timeout: 15_000 });
});

test('W7.04 a listener that reads nothing is cut off and gets nothing more', async () => {
  const events = createEventStream(missed(), () => {});
  for (let number = 0; number < 2_000; number += 1) events.push(event(String(number)));
  const read: unknown[] = [];
  for await (const chunk of events.stream) read.push(chunk);
  expect(read.join('')).toBe('retry: 2000\n\n');
});

test('W7.04 a stream that is ended ends for its listener too', async () => {
  const onClosed = vi.fn();
  const events = createEventStream(missed('1'), onClosed);
  events.end();
  for await (const _ of events.stream);
  await vi.waitFor(() => expect(onClosed).toHaveBeenCalledOnce(), { timeout: 15_000 });
});

test('W7.04 a listener that takes few but large events is cut off too', async () => {
  const events = createEventStream(missed(), () => {});
  for (let number = 0; number < 10; number += 1) events.push({ data: thought('x'.repeat(300_000)) });
  const read: unknown[] = [];
  for await (const chunk of events.stream) read.push(chunk);
  expect(read.join('')).toBe('retry: 2000\n\n');
});

test('W7.04 pending messages are sent once nothing else waits', async () => {
  const pending = [event('p1'), event('p2')];
  const events = createEventStream(
    missed('1'),
    () => {},
    () => pending.splice(0),
  );
  events.push(event('2'));
  expect(await take(events.stream, 4)).toEqual(['1', '2', 'p1', 'p2']);
});

test('R15.01 a stream sends nothing that the schema of its messages does not name', async () => {
  const events = createEventStream(missed(), () => {});
  events.push({ id: '1', data: { ...thought('seen'), ...secret } });
  let text = '';
  for await (const chunk of events.stream) {
    text += String(chunk);
    if (text.includes('id: 1')) break;
  }
  expect(text).toContain('"content":"seen"');
  expect(text).not.toContain('passwordHash');
});
