import { setTimeout as wait } from 'node:timers/promises';
import type { Canvas } from '../../../contract/canvas.ts';
import type { Pipeline, PipelineLink } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { demand } from './demand.ts';
import { makeWebhook } from './make-webhook.ts';
import type { MeasuredServer } from './measured-server.ts';

export type Kind = 'run' | 'graph' | 'command' | 'save' | 'answer' | 'webhook' | 'fire';

export type Work = Awaited<ReturnType<typeof openWork>>;

/** The task of runs whose model does not answer. */
export const waitingTask = 'Wait for this.';
const task = 'Measure this.';
const chain = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa'];
const branches = 64;
const largeSteps = 10_000;
/** How often the end of a run is looked for, in the database and not at the server (ms): a look costs more than what a run does meanwhile. */
const lookMs = 25;

/**
 * Opens an account that works on a server. `prepare` returns so many pieces of work of a kind: each is a function that resolves when the work is
 * done and stored.
 */
export async function openWork(server: MeasuredServer) {
  const account = await signUp(server.url);
  const pipelines = await makePipelines(account);
  const ended = endOf(server);
  const run = (pipeline: Pipeline) => async () => ended((await account.start(pipeline, task)).id);
  const [{ id: projectId = '' } = {}] = (await account.call<{ id: string }[]>('GET', '/project')).body;
  const save = await savesOf(account, projectId);
  // A server without triggers is measured before.
  let made: ReturnType<typeof makeWebhook> | null = null;
  const webhook = () => {
    made ??= makeWebhook(account, pipelines.single, server.url);
    return made;
  };
  const again = (one: () => Promise<unknown>) => async (pieces: number) => Array.from({ length: pieces }, () => one);

  const prepare: Record<Kind, (pieces: number) => Promise<(() => Promise<unknown>)[]>> = {
    run: again(run(pipelines.chain)),
    graph: again(run(pipelines.graph)),
    command: again(async () => {
      const asked = { agentId: account.agent('developer').id, request: task };
      demand(await account.call('POST', '/agentcommand/execute', asked), 200);
    }),
    save: again(save),
    /** The answer of a person, which ends its run. */
    answer: async (pieces) => {
      const answers: (() => Promise<unknown>)[] = [];
      for (let piece = 0; piece < pieces; piece += 1) {
        const { id } = await account.start(pipelines.person, task);
        const question = await untilFound(
          async () => (await account.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body[0],
        );
        answers.push(async () => {
          demand(await account.call('POST', `/question/${question.id}/answer`, { action: 'answer', text: 'An answer.' }), 200);
          await ended(id);
        });
      }
      return answers;
    },
    /** An event of another program, whose run has one step. */
    webhook: again(async () => ended(await (await webhook()).send())),
    /** The same event, sent again by a person. */
    fire: again(async () => ended(await (await webhook()).sendAgain())),
  };

  return {
    account,
    prepare,
    /** Starts a run of one step, whose model does not answer. */
    startWaiting: async () => (await account.start(pipelines.single, waitingTask)).id,
    /** Creates a pipeline of very many steps. Returns the start of its run, whose first model does not answer. */
    async makeLarge(): Promise<() => Promise<string>> {
      const { id: agentId } = account.agent('developer');
      const steps = Array.from({ length: largeSteps }, (_, at) => ({ name: `Step ${at}`, agentId, nodeId: `node-${at}` }));
      const large = await makePipeline(account, 'Large', { steps });
      return async () => (await account.start(large, waitingTask)).id;
    },
    stop: async (id: string) => demand(await account.act(id, 'stop'), 200),
    /** Resolves when no run is at work. */
    allEnded: () =>
      untilFound(async () => {
        const { rowCount } = await server.database.query("SELECT FROM executions WHERE status IN ('pending', 'running') LIMIT 1");
        return rowCount === 0 ? true : undefined;
      }),
  };
}

async function makePipeline(account: RunAccount, name: string, more: object): Promise<Pipeline> {
  return demand(await account.call<Pipeline>('POST', '/Pipeline', { name, projectId: 'default', ...more }), 201);
}

async function makePipelines(account: RunAccount) {
  const { id: agentId } = account.agent('developer');
  const step = (nodeId: string, more: object = {}) => ({ name: nodeId, agentId, nodeId, ...more });
  const middle = Array.from({ length: branches }, (_, at) => `branch-${at}`);
  const link = (from: string, to: string): PipelineLink => ({ id: `${from}>${to}`, from, to });
  return {
    chain: await account.pipeline(...chain),
    single: await account.pipeline('developer'),
    graph: await makePipeline(account, 'Graph', {
      maxParallel: 16,
      steps: ['first', ...middle, 'join'].map((nodeId) => step(nodeId)),
      links: middle.flatMap((branch) => [link('first', branch), link(branch, 'join')]),
    }),
    person: await makePipeline(account, 'Person', { steps: [step('ask', { settings: { person: {} } })] }),
  };
}

/** Returns what saves a change of one record of the canvas. */
async function savesOf(account: RunAccount, projectId: string): Promise<() => Promise<void>> {
  const path = `/project/${projectId}/canvas`;
  let { version } = (await account.call<Canvas>('GET', path)).body;
  return async () => {
    const value = { id: 'start', type: 'start', title: `Card ${version}`, x: version, y: 0 };
    const body = { baseVersion: version, patches: [{ op: 'set', collection: 'nodes', id: 'start', value }] };
    version = demand(await account.call<{ version: number }>('PATCH', path, body), 200).version;
  };
}

/** Resolves when a run has completed. */
const endOf = (server: MeasuredServer) => async (id: string) => {
  const status = await untilFound(async () => {
    const { rows } = await server.database.query("SELECT status FROM executions WHERE id = $1 AND status NOT IN ('pending', 'running')", [
      id,
    ]);
    return rows[0]?.status as string | undefined;
  });
  if (status !== 'completed') throw new Error(`The run ${id} is ${status}.`);
};

async function untilFound<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await wait(lookMs);
  }
}
