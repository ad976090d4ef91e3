import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { canvasBody } from '../../contract/body-limits.ts';
import { signUp } from '../support/call-api.ts';
import { setUpSecondUser } from '../support/faults/second-user.ts';
import { type Answer, largeCanvas, sendBytes } from '../support/hostile/large-bodies.ts';
import { setUp, setUpServer } from '../support/set-up/for-vitest.ts';

const mebibyte = 1024 * 1024;

const server = setUpServer({ NODE_ENV: 'production' }, { ownProcess: 'Its memory is measured.' });
const ann = setUp(() => signUp(server.url));
const bob = setUpSecondUser(server);

/** The other user makes over 200 calls meanwhile. With fewer, the 99th percentile is the longest call, and one pause of the machine decides. */
const attackRounds = 40;
const canvasPath = '/project/default/canvas';

/** 15.7 MB of the smallest elements. */
function manyPatches(element: string): Buffer {
  return Buffer.from(`{"baseVersion":0,"patches":[${`${element},`.repeat(Math.floor(15_700_000 / (element.length + 1)))}${element}]}`);
}

async function memoryBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

test('R19.01 with fourteen bodies of millions of elements at once the server still answers, and its memory is bounded', async () => {
  const before = await memoryBytes();
  const bodies = [manyPatches('{}'), manyPatches('1'), manyPatches('[[]]'), manyPatches('{"op":1}')];
  const attack = async (rounds = attackRounds) => {
    const answers: Answer[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const sent = Array.from({ length: 14 }, (_, index) => bodies[index % bodies.length] as Buffer);
      answers.push(...(await Promise.all(sent.map((body) => sendBytes(server.url, ann.accessToken, 'PATCH', canvasPath, body)))));
    }
    return answers;
  };
  // Threads start with the first round, in about 300 ms of both processors: once in the life of a server.
  await attack(1);
  const { latency, bound, result } = await bob.beside(attack);
  expect(new Set(result.map(({ status }) => status))).toEqual(new Set([413, 429]));
  for (const { status, retryAfter, text } of result) {
    const code = (JSON.parse(text) as { code: string }).code;
    expect([status, code, retryAfter]).toEqual(status === 429 ? [429, 'too_many_bodies', '2'] : [413, 'too_complex', null]);
  }
  expect(latency.p99).toBeLessThan(bound);
  expect(await memoryBytes()).toBeLessThan(before + 250 * mebibyte);
});

test('R31.01 the largest canvas is replaced, patched and read without delays for another user', async () => {
  const canvas = largeCanvas(20_000, 16 * mebibyte);
  const { version } = await ann.ask('project.canvas', { params: { id: 'default' } });
  const put = Buffer.from(JSON.stringify({ baseVersion: version, ...canvas }));
  const sets = (['nodes', 'connections'] as const).flatMap((collection) =>
    Object.entries(canvas[collection]).map(([id, value]) => ({ op: 'set', collection, id, value })),
  );
  const patch = Buffer.from(JSON.stringify({ baseVersion: version + 1, patches: sets.slice(0, 19_000) }));
  for (const body of [put, patch]) {
    expect(body.length).toBeGreaterThan(12 * mebibyte);
    expect(body.length).toBeLessThan(canvasBody.bytes);
  }
  const { latency, bound, result } = await bob.beside(async () => [
    await sendBytes(server.url, ann.accessToken, 'PUT', canvasPath, put),
    await sendBytes(server.url, ann.accessToken, 'PATCH', canvasPath, patch),
  ]);
  expect(result).toEqual([version + 1, version + 2].map((next) => ({ status: 200, retryAfter: null, text: `{"version":${next}}` })));
  const saved = await ann.ask('project.canvas', { params: { id: 'default' } });
  expect(Object.keys(saved.nodes)).toHaveLength(20_000);
  expect(Object.keys(saved.connections)).toHaveLength(19_999);
  expect(latency.p99).toBeLessThan(bound);
});
