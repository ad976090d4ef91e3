import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import { createLiveSocket } from '../../../../server/modules/realtime/live-socket.ts';
import { secret } from '../../../support/hostile/planted-keys.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A live socket and its client, whose reading a test can pause. */
async function pair() {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const opened = new Promise<{ socket: WebSocket; raw: Socket }>((resolve) => {
    server.on('upgrade', (request, raw, head) =>
      sockets.handleUpgrade(request, raw, head, (socket) => resolve({ socket, raw: raw as Socket })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const got: ServerMessage[] = [];
  client.on('message', (data) => got.push(JSON.parse(String(data))));
  client.on('error', () => {});
  await new Promise((resolve) => client.once('open', resolve));
  const { socket, raw } = await opened;
  closers.push(
    () => client.terminate(),
    () => socket.terminate(),
    () => server.close(),
  );
  return { live: createLiveSocket(socket, raw), socket, client, got };
}

const large = 'x'.repeat(200_000);
const result = (number: number): ServerMessage => ({
  ...{ type: 'agent_command_result', agentId: 'a', result: `${number}${large}`, projectId: null, executionId: null },
});
const partial = (stepId: string, position: number, content: string): ServerMessage => ({
  ...{ type: 'agent_thought', agentId: 'a', content, position, partial: true, projectId: null, executionId: 'e', stepId },
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Sends results until the client is behind; returns their number. */
async function fallBehind({ live }: Awaited<ReturnType<typeof pair>>): Promise<number> {
  let sent = 0;
  while (live.whenDrained() === null) {
    sent += 1;
    live.send(result(sent));
    await turn();
  }
  return sent;
}

test('W7.08 a client that is behind gets every event, and the additions to each text as one message', async () => {
  const there = await pair();
  there.client.pause();
  const sent = await fallBehind(there);
  for (let length = 0; length < 50; length += 1) {
    there.live.send(partial('one', length, 'x'));
    there.live.send(partial('other', 7 + length, 'y'));
  }
  const caughtUp = there.live.whenDrained();
  there.client.resume();
  await caughtUp;
  await expect.poll(() => there.got.length).toBe(sent + 2);
  expect(there.got.slice(0, sent).map((message) => message.type === 'agent_command_result' && Number.parseInt(message.result, 10))).toEqual(
    Array.from({ length: sent }, (_, index) => index + 1),
  );
  expect(there.got.slice(sent)).toEqual([partial('one', 0, 'x'.repeat(50)), partial('other', 7, 'y'.repeat(50))]);
  there.live.send(partial('one', 50, 'as it grows'));
  await expect.poll(() => there.got.at(-1)).toEqual(partial('one', 50, 'as it grows'));
});

test('W7.08 a client that reads nothing is cut off before much is queued for it', async () => {
  const there = await pair();
  there.client.pause();
  const closed = new Promise((resolve) => there.socket.once('close', resolve));
  const sent = await fallBehind(there);
  for (let number = 0; number < 20; number += 1) there.live.send(result(sent + number));
  expect(there.socket.bufferedAmount).toBeLessThan(2 * 1024 * 1024);
  await closed;
  expect(there.live.whenDrained()).toBeNull();
});

test('W7.08 a client that does not answer between two heartbeats is disconnected', async () => {
  const there = await pair();
  there.client.pause();
  const closed = new Promise((resolve) => there.socket.once('close', resolve));
  there.live.heartbeat();
  there.live.heartbeat();
  await closed;
});

test('W7.08 a message is written once, however many sockets it goes to', async () => {
  const [one, other] = [await pair(), await pair()];
  let written = 0;
  const message = {
    ...{ type: 'agent_command_result', agentId: 'a', projectId: null, executionId: null },
    get result() {
      written += 1;
      return 'Once';
    },
  } as ServerMessage;
  one.live.send(message);
  other.live.send(message);
  for (const { got } of [one, other]) await expect.poll(() => got).toEqual([expect.objectContaining({ result: 'Once' })]);
  expect(written).toBe(1);
});

test('R15.01 a socket sends nothing that the schema of its messages does not name', async () => {
  const there = await pair();
  const message = partial('one', 0, 'seen');
  there.live.send({ ...message, ...secret });
  await expect.poll(() => there.got).toEqual([message]);
});
