import http from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { admitBodies, BodyAdmission } from '../../../../server/http/bodies/body-admission.ts';
import { noteAddresses } from '../../../../server/http/client-address.ts';

const largest = 16 * 1024 * 1024;

/** A caller at its own address, or at a shared one. */
const from = (id: string, address = id) => ({ id, address });

test('R19.01 one caller has at most two of the largest bodies in flight, and other callers still have theirs', () => {
  const admission = new BodyAdmission();
  const first = admission.admit(from('ann'), largest);
  admission.admit(from('ann'), largest);
  expect(() => admission.admit(from('ann'), largest)).toThrow(expect.objectContaining({ code: 'too_many_bodies', status: 429 }));
  admission.admit(from('bob'), largest);
  first.release();
  first.release();
  admission.admit(from('ann'), largest);
  expect(() => admission.admit(from('ann'), largest)).toThrow();
});

test('R19.01 bodies are bounded by their number too', () => {
  const admission = new BodyAdmission();
  for (let count = 0; count < 64; count += 1) admission.admit(from('ann'), 1);
  expect(() => admission.admit(from('ann'), 1)).toThrow(expect.objectContaining({ code: 'too_many_bodies' }));
});

test('R19.01 the accounts of one address leave room for others', () => {
  const admission = new BodyAdmission();
  for (let account = 0; account < 12; account += 1) admission.admit(from(`account ${account}`, 'one place'), largest);
  expect(() => admission.admit(from('account 12', 'one place'), largest)).toThrow(expect.objectContaining({ code: 'too_many_bodies' }));
  admission.admit(from('ann'), largest);
});

test('R19.01 all callers together have sixteen of the largest bodies in flight', () => {
  const admission = new BodyAdmission();
  const leases = Array.from({ length: 16 }, (_, caller) => admission.admit(from(`caller ${caller}`), largest));
  const refused = expect.objectContaining({ code: 'busy', status: 503, options: { retryAfterSeconds: 2 } });
  expect(() => admission.admit(from('late'), largest)).toThrow(refused);
  leases[3]?.release();
  admission.admit(from('late'), largest);
});

test('R19.01 two large bodies are worked on at a time, in the order of their arrival, and an ended request leaves the queue', async () => {
  const admission = new BodyAdmission();
  const leases = Array.from({ length: 5 }, (_, caller) => admission.admit(from(`caller ${caller}`), largest));
  const begun: number[] = [];
  for (const [index, lease] of leases.entries()) void lease.takeTurn().then(() => begun.push(index));
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  leases[2]?.release();
  leases[0]?.release();
  await Promise.resolve();
  expect(begun.filter((index) => index !== 2)).toEqual([0, 1, 3]);
  leases[1]?.release();
  leases[3]?.release();
  await Promise.resolve();
  expect(begun.filter((index) => index !== 2)).toEqual([0, 1, 3, 4]);
});

test('G8.23 a body that grows is refused where it would be too much, and gives back all that it had', () => {
  const admission = new BodyAdmission();
  const grown = admission.admit(from('ann'), 0);
  grown.grow(largest);
  admission.admit(from('ann'), largest);
  expect(() => grown.grow(1)).toThrow(expect.objectContaining({ code: 'too_many_bodies' }));
  grown.release();
  grown.grow(largest);
  admission.admit(from('ann'), largest);
});

test('G8.23 a body without a length reserves its received bytes: forty waiting bodies leave room for others, and a whole body arrives', async () => {
  const app = fastify({ bodyLimit: 4 * 1024 * 1024 });
  app.decorateRequest('signedIn', null);
  noteAddresses(app);
  admitBodies(app);
  app.setErrorHandler((error: { status?: number; code?: string }, _request, reply) =>
    reply.code(error.status ?? 500).send({ code: error.code }),
  );
  app.post('/answer', async (request) => ({ length: (request.body as { text: string }).text.length }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const open = () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const request = http.request({ host: '127.0.0.1', port, path: '/answer', method: 'POST', headers });
    const answered = new Promise<[number, unknown]>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part as Buffer);
        resolve([response.statusCode ?? 0, JSON.parse(Buffer.concat(parts).toString())]);
      });
    });
    answered.catch(() => {});
    return { request, answered };
  };
  const arrived = new Promise<void>((resolve) => {
    let left = 40;
    app.server.on('request', () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  const waiting = Array.from({ length: 40 }, open);
  for (const { request } of waiting) request.write('{"text":"');
  await arrived;
  const whole = open();
  whole.request.end(`{"text":"${'x'.repeat(1_000_000)}"}`);
  expect(await whole.answered).toEqual([200, { length: 1_000_000 }]);
  for (const { request } of waiting) request.end('"}');
  expect(await Promise.all(waiting.map(({ answered }) => answered))).toEqual(waiting.map(() => [200, { length: 0 }]));
  // Together they are more than a caller may have: each has given back what it reserved.
  for (let count = 0; count < 12; count += 1) {
    const large = open();
    large.request.end(`{"text":"${'x'.repeat(4_000_000)}"}`);
    expect(await large.answered).toEqual([200, { length: 4_000_000 }]);
  }
});
