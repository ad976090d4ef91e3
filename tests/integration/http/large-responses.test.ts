import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { canvasBody } from '../../../contract/body-limits.ts';
import { ApiError } from '../../../server/http/api-error.ts';
import { admitBodies } from '../../../server/http/bodies/body-admission.ts';
import { readBodies } from '../../../server/http/bodies/read-bodies.ts';
import { noteAddresses } from '../../../server/http/client-address.ts';
import { sendFailure } from '../../../server/http/failure.ts';
import { admitResponses } from '../../../server/http/limits/response-admission.ts';

const mebibyte = 1024 * 1024;

let app: FastifyInstance;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  app.server.closeAllConnections();
  await app?.close();
});

/** A server with an answer of 20 MiB, an answer that never comes, and a route that takes bodies. */
async function open(takenWithinMs?: number): Promise<{ url: string; port: number }> {
  app = Fastify({ bodyLimit: 16 * mebibyte });
  app.setErrorHandler(sendFailure);
  app.decorateRequest('signedIn', null);
  noteAddresses(app);
  admitBodies(app);
  admitResponses(app, takenWithinMs);
  readBodies(app);
  app.get('/api/long', async () => 'x'.repeat(20 * mebibyte));
  app.get('/api/never', () => new Promise(() => {}));
  app.put('/api/taken', { bodyLimit: canvasBody.bytes, config: { body: canvasBody } }, async () => 'taken');
  app.patch('/api/stale', async () => {
    throw new ApiError('canvas_stale', { details: { canvas: 'x'.repeat(20 * mebibyte) } });
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, port: Number(new URL(url).port) };
}

/** Sends a text and reads nothing of the answer. */
function sendTo(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text);
  sockets.push(socket);
  return socket;
}

/** A body with a list of texts of 1 KB. */
const listOf = (bytes: number) => JSON.stringify({ list: Array.from({ length: bytes / 1024 }, () => 'x'.repeat(1_021)) });

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;

test('R19.01 answers that a client asked for and does not read are bounded, and it is served again when its connections are gone', async () => {
  const { url, port } = await open();
  sendTo(port, get('/api/long').repeat(3));
  const status = async () => (await fetch(`${url}/api/long`)).status;
  await expect.poll(status).toBe(429);
  const refused = await fetch(`${url}/api/long`, { headers: { 'accept-language': 'en' } });
  expect([refused.headers.get('retry-after'), (await refused.json()).code]).toEqual(['2', 'too_many_requests']);
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(status).toBe(200);
});

test('R19.01 a connection whose client does not take an answer in time is cut', async () => {
  const { port } = await open(500);
  sendTo(port, get('/api/long'));
  const connections = () => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  // The connection is there for half a second only.
  await expect.poll(connections, { interval: 10 }).toBe(1);
  await expect.poll(connections).toBe(0);
});

test('R19.01 the room of a body is free again when its connection is lost while its answer waits behind another', async () => {
  const { url, port } = await open();
  const put = `PUT /api/taken HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${15 * mebibyte}\r\n\r\n`;
  for (let one = 0; one < 3; one += 1) sendTo(port, `${get('/api/never')}${put}"`);
  const status = async () =>
    (
      await fetch(`${url}/api/taken`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: listOf(3 * mebibyte),
      })
    ).status;
  await expect.poll(status).toBe(429);
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(status).toBe(200);
});

const patch = (path: string, body: string) =>
  `PATCH ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

test('R19.01 long refusals that a client does not read are bounded too: the next ones are short, and a full caller is refused before any work', async () => {
  const { url, port } = await open();
  sendTo(port, patch('/api/stale', '{}').repeat(12));
  const headers = { 'content-type': 'application/json' };
  const ask = async () => (await fetch(`${url}/api/stale`, { method: 'PATCH', headers, body: '{}' })).json();
  await expect.poll(async () => 'details' in (await ask())).toBe(false);
  expect(await ask()).toMatchObject({ code: 'canvas_stale' });
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(async () => 'details' in (await ask())).toBe(true);
});

test('R19.01 a refused body keeps no turn of the large bodies, though its answer waits behind another one', async () => {
  const { url, port } = await open();
  const malformed = listOf(1.2 * mebibyte).replace(/\}$/, ']');
  const put = patch('/api/taken', malformed).replace('PATCH', 'PUT');
  sendTo(port, `${get('/api/never')}${put}${put}`);
  const status = async () =>
    (
      await fetch(`${url}/api/taken`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: listOf(2 * mebibyte),
        signal: AbortSignal.timeout(10_000),
      })
    ).status;
  const requests = () => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  await expect.poll(requests).toBeGreaterThan(0);
  expect([await status(), await status(), await status()]).toEqual([200, 200, 200]);
});
