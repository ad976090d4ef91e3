import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import { signUp } from '../support/run-account.ts';
import { setUp, setUpModelServer, setUpServer } from '../support/set-up/for-vitest.ts';

const mebibyte = 1024 * 1024;
const writers = 15;
const branches = 16;
/** The most memory (bytes) that the branches may cost the server, with the answers before them. Unbounded they cost 1.2 GiB. */
const maxGrowth = 600 * mebibyte;

const models = setUpModelServer();
/** A model server that accepts calls and reads nothing. */
const deaf = setUp(
  async () => {
    const sockets: import('node:net').Socket[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.pause();
      sockets.push(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/v1`,
      sockets,
      close: async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
  ({ close }) => close(),
);
const server = setUpServer(
  () => ({
    OPENAI_BASE_URL: models.url,
    OPENAI_API_KEY: 'sk-server-wide',
    ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
  }),
  { ownProcess: 'Its memory is measured.' },
);

/** The peak memory of the server's process (bytes). */
const peakMemory = () => Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1_024;

test(`R23.01 ${branches} branches with the longest results and a model server that reads nothing leave memory for the server and other runs`, async () => {
  const [mallory, ben] = [await signUp(server.url, 'ru'), await signUp(server.url)];
  models.answer(({ body }) =>
    body.messages.some(({ content }) => content.includes('At length'))
      ? { kind: 'json', text: 'word '.repeat(200_000) }
      : { kind: 'text', text: 'Done' },
  );
  const [writer, reader] = [mallory.agent('assistant'), mallory.agent('developer')];
  const configured = await mallory.call('PUT', `/nuroagent/${reader.id}/api-configuration`, { baseUrl: deaf.url });
  expect(configured.status).toBe(200);
  const from = Array.from({ length: writers }, (_, at) => `writer-${at}`);
  const to = Array.from({ length: branches }, (_, at) => `reader-${at}`);
  const made = await mallory.call<Pipeline>('POST', '/Pipeline', {
    name: 'Fan out',
    projectId: 'default',
    steps: [
      ...from.map((nodeId) => ({ name: nodeId, agentId: writer.id, nodeId })),
      ...to.map((nodeId) => ({ name: nodeId, agentId: reader.id, nodeId })),
    ],
    links: from.flatMap((one) => to.map((other) => ({ id: `${one}-${other}`, from: one, to: other }))),
    maxParallel: branches,
  });
  expect(made.status).toBe(201);
  const before = peakMemory();

  const run = await mallory.start(made.body, 'At length');
  await mallory.until(run.id, ({ steps }) => steps.filter(({ status }) => status === 'running').length === branches);
  await expect.poll(() => deaf.sockets.length).toBeGreaterThan(0);
  const bens = await ben.start(await ben.pipeline('assistant', 'developer', 'qa'), 'Beside');
  expect((await ben.until(bens.id, ({ status }) => status !== 'running' && status !== 'pending')).status).toBe('completed');
  const growth = peakMemory() - before;
  console.info(`${deaf.sockets.length} calls; memory grew by ${Math.round(growth / mebibyte)} MiB`);
  expect(growth).toBeLessThan(maxGrowth);
  expect((await mallory.details(run.id)).steps.filter(({ status }) => status === 'running')).toHaveLength(branches);

  expect((await mallory.act(run.id, 'stop')).body.status).toBe('cancelled');
  expect(server.logs().match(/Artel is ready/g)).toHaveLength(1);
});
