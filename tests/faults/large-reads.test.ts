import { expect, test } from 'vitest';
import { maxSteps } from '../../contract/executions/pipeline.ts';
import { setUpSecondUser } from '../support/faults/second-user.ts';
import { sendBytes } from '../support/hostile/large-bodies.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { setUpServer } from '../support/set-up/for-vitest.ts';

/** Reads of one account at the same time. */
const atOnce = 4;
/** A call that is slow because of the machine is not slow in every attempt. */
const maxTries = 3;

/** Without the check of answers against their schemas, which is for development only. */
const server = setUpServer(() => ({ NODE_ENV: 'production' }), { ownProcess: "Another account's waits are measured." });
const bob = setUpSecondUser(server);

/** An account with the largest pipeline, and a run of it that has not begun. */
async function reader() {
  const account = await signUp(server.url);
  const agentId = account.agent('assistant').id;
  const steps = Array.from({ length: maxSteps }, (_, at) => ({ name: `Step ${at}`, nodeId: `n${at}`, agentId }));
  const links = steps.flatMap((_, at) =>
    [1, 2, 3, 4].filter((by) => at + by < maxSteps).map((by) => ({ id: `${at}-${by}`, from: `n${at}`, to: `n${at + by}` })),
  );
  const creation = { name: 'Large', projectId: 'default', steps, links, groups: [], maxParallel: 16 };
  const pipeline = await made(account, '/Pipeline', creation);
  const execution = await made(account, '/PipelineExecution', { pipelineId: pipeline, initialTask: 'Wait' });
  return { account, pipeline, execution };
}

async function made(account: RunAccount, path: string, body: object): Promise<string> {
  const { status, text } = await sendBytes(server.url, account.accessToken, 'POST', path, Buffer.from(JSON.stringify(body)));
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { id: string }).id;
}

test('R19.01 two accounts that read their largest pipelines, four times at once each, delay no other user', async () => {
  const readers = [await reader(), await reader()];
  const reads = {
    links: (one: Awaited<ReturnType<typeof reader>>) => `/PipelineExecution/${one.execution}/links`,
    diagnostics: (one: Awaited<ReturnType<typeof reader>>) => `/Pipeline/${one.pipeline}/diagnostics`,
    details: (one: Awaited<ReturnType<typeof reader>>) => `/PipelineExecution/${one.execution}/details`,
  };
  const slow: unknown[] = [];
  for (const [name, path] of Object.entries(reads))
    for (let tries = 1; ; tries += 1) {
      const { latency, bound, result } = await bob.beside(async () => {
        const round = () =>
          readers.flatMap((one) =>
            Array.from({ length: atOnce }, () => sendBytes(server.url, one.account.accessToken, 'GET', path(one), Buffer.alloc(0))),
          );
        return [...(await Promise.all(round())), ...(await Promise.all(round()))].map(({ status }) => status);
      });
      expect(new Set(result)).toEqual(new Set([200]));
      if (latency.p99 < bound) break;
      if (tries < maxTries) continue;
      slow.push([name, latency, bound]);
      break;
    }
  expect(slow).toEqual([]);
});
