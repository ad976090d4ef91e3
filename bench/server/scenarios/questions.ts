import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { startServerOnDatabase } from '../../../tests/support/server-on-database.ts';
import type { TestServer } from '../../../tests/support/start-server.ts';
import type { Figure } from '../../figure.ts';
import { quantile } from '../../statistics.ts';
import type { BenchProcesses } from '../bench-processes.ts';
import { type Account, openAccount } from '../client/account.ts';
import { followRuns } from '../client/follow-runs.ts';
import { type HttpClient, httpClient } from '../client/http-client.ts';
import { processMb } from '../measure/memory.ts';
import type { Scenario } from '../scenario.ts';

/** A pipeline whose first step asks a person. */
async function askingPipeline({ call, agentIds }: Account): Promise<string> {
  const [asking = '', next = ''] = agentIds;
  const made = await call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Ask', projectId: 'default', links: [{ id: 'ask>next', from: 'ask', to: 'next' }] },
    steps: [
      { name: 'Ask', agentId: asking, nodeId: 'ask', settings: { person: { question: 'May it go on?' } } },
      { name: 'Next', agentId: next, nodeId: 'next' },
    ],
  });
  if (made.status !== 201) throw new Error(`No pipeline was made: ${made.status}`);
  return made.body.id;
}

async function startAsking({ call }: Account, pipelineId: string): Promise<string> {
  const started = await call<{ id: string }>('POST', '/PipelineExecution/start', { pipelineId, initialTask: 'Measure this.' });
  if (started.status !== 202) throw new Error(`A run was not started: ${started.status}`);
  return started.body.id;
}

/** The time from a person's answer to the next model call: on the node that takes the answer, and on another one. */
export const answerScenario: Scenario = {
  name: 'answers',
  run: async (bench) => {
    const client = bench.client();
    const account = await openAccount(client, 'instant');
    const figures = answerFigures('one process', await answerTimes(bench, { ...bench.server(), account, answer: account.call }), 25);
    return [...figures, ...answerFigures('another node', await timesOnAnotherNode(bench), 100)];
  },
};

/** A node that is about to end still takes answers, and works on no run. */
async function timesOnAnotherNode(bench: BenchProcesses): Promise<number[]> {
  const { database, server } = await startServerOnDatabase({
    ...{ OPENAI_BASE_URL: String(await bench.models.ask({ kind: 'url' })), LOG_LEVEL: 'warn', ARTEL_SHUTDOWN_DELAY_SECONDS: '60' },
  });
  const other = await server.beside();
  const [client, otherClient] = [httpClient(server.url), httpClient(other.url)];
  try {
    const account = await openAccount(otherClient, 'instant');
    process.kill(server.pid, 'SIGTERM');
    const answer: Account['call'] = async (method, path, body) => {
      const { status, body: text } = await client.send(method, `/api${path}`, { token: account.token, body: JSON.stringify(body) });
      return { status, body: JSON.parse(text) };
    };
    return await answerTimes(bench, { url: other.url, account, answer });
  } finally {
    client.close();
    otherClient.close();
    // By a signal that neither waits for: both have the long delay.
    await Promise.all([server.kill('SIGKILL'), other.kill('SIGKILL')]);
    await database.remove();
  }
}

type Asked = { url: string; account: Account; answer: Account['call'] };

async function answerTimes(bench: BenchProcesses, { url, account, answer }: Asked): Promise<number[]> {
  const follower = await followRuns(url, account.token);
  const pipelineId = await askingPipeline(account);
  const times: number[] = [];
  for (let count = bench.quick ? 20 : 200; count > 0; count -= 1) {
    const id = await startAsking(account, pipelineId);
    const question = await openQuestion(account, id);
    const sentAt = performance.timeOrigin + performance.now();
    const answered = await answer('POST', `/question/${question.id}/answer`, { action: 'answer', text: 'Yes' });
    if (answered.status !== 200) throw new Error(`An answer was refused: ${answered.status}`);
    if (!(await follower.ended(id)).completed) throw new Error('A run with a question did not complete.');
    times.push(Number(await bench.models.ask({ kind: 'called-at' })) - sentAt);
  }
  follower.close();
  return times;
}

function answerFigures(where: string, times: number[], atMost: number): Figure[] {
  const what = `from the answer of a person to the next model call, ${where}`;
  return [
    { what: `${what}, median`, unit: 'ms', value: quantile(times, 0.5) ?? 0 },
    { what: `${what}, p95`, unit: 'ms', value: quantile(times, 0.95) ?? 0, floor: { atMost } },
  ];
}

/** Ten thousand runs that wait for people, in a server's memory and in its next start. */
export const waitingScenario: Scenario = {
  name: 'waiting',
  run: async (bench) => {
    const runs = bench.quick ? 500 : 10_000;
    const before = await restarted(await bench.anotherServer(), bench.quick);
    const client = httpClient(before.server.url);
    const account = await openAccount(client, 'instant');
    const pipelineId = await askingPipeline(account);
    for (let started = 0; started < runs; started += startsAtOnce)
      await Promise.all(Array.from({ length: Math.min(startsAtOnce, runs - started) }, () => startAsking(account, pipelineId)));
    while ((await openQuestions(client, account)) < runs) await wait(200);
    client.close();
    const after = await restarted(before.server, bench.quick);
    const next = httpClient(after.server.url);
    const left = await openQuestions(next, account);
    next.close();
    await after.server.stop();
    const what = `${runs} runs that wait for people`;
    return [
      { what: `${what}, after a restart`, unit: 'runs', value: left, floor: { atLeast: runs } },
      { what: `${what}, memory of the server more than without`, unit: 'MB', value: after.mb - before.mb, floor: { atMost: 5 } },
      {
        ...{ what: `${what}, start of the server`, unit: 's', value: after.seconds },
        beside: [{ name: 'without them', value: before.seconds, atMost: 1.25 }],
      },
    ];
  },
};

const startsAtOnce = 32;

async function openQuestion({ call }: Account, id: string): Promise<Question> {
  for (;;) {
    const [question] = (await call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;
    if (question) return question;
    await wait(2);
  }
}

async function openQuestions(client: HttpClient, { token }: Account): Promise<number> {
  const { headers } = await client.send('GET', '/api/question?state=open&limit=1', { token });
  return Number(headers['x-total-count']);
}

/** Restarts a server, and measures the start and the memory of its process a while later. */
async function restarted(server: TestServer, quick: boolean): Promise<{ server: TestServer; seconds: number; mb: number }> {
  await server.kill('SIGTERM');
  const begun = performance.now();
  const next = await server.restart();
  const seconds = (performance.now() - begun) / 1_000;
  await wait(quick ? 2_000 : 10_000);
  return { server: next, seconds, mb: processMb(next.pid) };
}
