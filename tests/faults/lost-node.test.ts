import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionDetails } from '../../contract/executions/execution.ts';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import { findNats } from '../../scripts/cluster/local-nats.ts';
import { openCluster, type TestCluster } from '../support/cluster.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import type { ModelCall } from '../support/services/model-server.ts';
import { timesSlower } from '../support/times-slower.ts';

const team = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa'];

describe.runIf(findNats() !== null)('three nodes (needs the program nats-server)', () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await openCluster(3);
  });
  afterEach(() => cluster?.stop());

  test('R23.01 ten runs of a killed node continue on others within thirty seconds, and no finished step runs again', async () => {
    const { models, node } = cluster;
    const ann = await signUp(node(1).url);
    const pipeline = await ann.pipeline(...team);
    const hold = holdThirdSteps(cluster);
    const lost = await onFirstNode(cluster, async () => {
      const started = await startMany(ann, pipeline, 10);
      await models.call(10 * 3);
      return started;
    });
    const underWay = new Set(lost.map(({ id }) => id));
    // Each run hangs in its third step.
    await node(1).kill('SIGKILL');
    const killed = performance.now();
    hold.only((call) => !underWay.has(runOf(call)));
    const untouched = await startMany(ann.at(node(2)), pipeline, 3);

    const elsewhere = ann.at(node(3));
    const ended = await Promise.all(lost.map(({ id }) => elsewhere.until(id, isOver)));
    expect(performance.now() - killed).toBeLessThan(30_000 * timesSlower());
    expect(ended.map(({ status }) => status)).toEqual(lost.map(() => 'completed'));
    for (const run of ended) {
      expect(run.steps.map(({ attempts }) => attempts)).toEqual([1, 1, 2, 1, 1]);
      await expectWholeLog(elsewhere, run);
    }
    const calls = models.calls.filter((call) => underWay.has(runOf(call)));
    expect(calls).toHaveLength(60);
    for (const { id } of lost) expect(callsByStep(calls, id)).toEqual([1, 1, 2, 1, 1]);

    hold.nothing();
    const others = await Promise.all(untouched.map(({ id }) => elsewhere.until(id, isOver)));
    expect(others.flatMap(({ steps }) => steps.map(({ attempts }) => attempts))).toEqual(Array(15).fill(1));
  });

  test('R23.01 five runs with links of a killed node continue on others at both of their branches, and no finished step runs again', async () => {
    const { models, node } = cluster;
    const ann = await signUp(node(1).url);
    const pipeline = await branches(ann);
    // Both branches are given the result of one step.
    models.answer((call) => (stepOf(call) === 2 ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
    const lost = await onFirstNode(cluster, async () => {
      const started = await startMany(ann, pipeline, 5);
      await models.call(5 * 3);
      return started;
    });
    // Each run hangs at both of its branches.
    await node(1).kill('SIGKILL');
    models.answer({ kind: 'text', text: 'Done' });

    const elsewhere = ann.at(node(3));
    const ended = await Promise.all(lost.map(({ id }) => elsewhere.until(id, isOver)));
    for (const run of ended) {
      expect(run.status).toBe('completed');
      expect(run.steps.map(({ attempts }) => attempts)).toEqual([1, 2, 2, 1]);
      await expectWholeLog(elsewhere, run);
    }
    expect(models.calls).toHaveLength(5 * 6);
  });

  test('R23.01 a node that was suspended and resumes changes nothing in the runs that others have claimed', async () => {
    const { models, node } = cluster;
    const ann = await signUp(node(1).url);
    const pipeline = await ann.pipeline('assistant', 'developer', 'qa');
    models.answer((call) => (stepOf(call) === 1 ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
    const runs = await onFirstNode(cluster, async () => {
      const started = await startMany(ann, pipeline, 5);
      await models.call(5);
      return started;
    });
    node(1).signal('SIGSTOP');
    models.answer({ kind: 'text', text: 'Done elsewhere' });

    const elsewhere = ann.at(node(2));
    const ended = await Promise.all(runs.map(({ id }) => elsewhere.until(id, isOver)));
    expect(ended.map(({ status, result }) => [status, result])).toEqual(runs.map(() => ['completed', 'Done elsewhere']));
    const calls = models.calls.length;
    expect(calls).toBe(5 + 5 * 3);

    models.release('Too late');
    node(1).signal('SIGCONT');
    // The node returns with a new name, so all runs that it starts from now on are its own.
    const next = await ann.start(pipeline, 'After the sleep');
    expect(await ann.until(next.id, isOver)).toMatchObject({ status: 'completed' });
    expect(await Promise.all(runs.map(({ id }) => elsewhere.details(id)))).toEqual(ended);
    for (const run of ended) await expectWholeLog(elsewhere, run);
    expect(models.calls).toHaveLength(calls + 3);
  });
});

const isOver = ({ status }: ExecutionDetails) => status === 'completed' || status === 'failed' || status === 'cancelled';

/** Does `work` while only the first node is up: another node takes a run whose sender is slow to begin it. */
async function onFirstNode<T>({ nodes }: TestCluster, work: () => Promise<T>): Promise<T> {
  const others = nodes.slice(1);
  await Promise.all(others.map((one) => one.kill('SIGTERM')));
  const result = await work();
  await Promise.all(others.map((one) => one.start()));
  return result;
}

/** One step, two beside each other, and a join. */
async function branches(who: RunAccount): Promise<Pipeline> {
  const answer = await who.call<Pipeline>('POST', '/Pipeline', {
    name: 'Branches',
    projectId: 'default',
    maxParallel: 2,
    steps: ['first', 'left', 'right', 'join'].map((name) => ({ name, agentId: who.agent('developer').id, nodeId: name })),
    links: ['left', 'right'].flatMap((name) => [
      { id: `to ${name}`, from: 'first', to: name },
      { id: `of ${name}`, from: name, to: 'join' },
    ]),
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

function startMany(who: RunAccount, pipeline: Awaited<ReturnType<RunAccount['pipeline']>>, many: number) {
  return Promise.all(Array.from({ length: many }, (_, index) => who.start(pipeline, `Task ${index}`)));
}

/** Holds the model call of every third step: the prompt then contains the results of two steps. */
function holdThirdSteps({ models }: TestCluster) {
  let held: (call: ModelCall) => boolean = () => true;
  models.answer((call) => (stepOf(call) === 3 && held(call) ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
  return {
    only: (these: (call: ModelCall) => boolean) => {
      held = these;
    },
    nothing: () => {
      held = () => false;
      models.release('Done');
    },
  };
}

/** The step of its run that a call is for, from 1. */
function stepOf(call: ModelCall): number {
  return (call.body.messages[1]?.content.match(/^## /gm) ?? []).length + 1;
}

const keyOf = (call: ModelCall) => String(call.headers['idempotency-key']);
const runOf = (call: ModelCall) => keyOf(call).split(':')[0] ?? '';

/** The number of calls for each step of a run, in the order of the steps. */
function callsByStep(calls: ModelCall[], executionId: string): number[] {
  const own = calls.filter((call) => runOf(call) === executionId);
  const keys = [...new Set(own.toSorted((a, b) => stepOf(a) - stepOf(b)).map(keyOf))];
  return keys.map((key) => own.filter((call) => keyOf(call) === key).length);
}

async function expectWholeLog(who: RunAccount, { id, steps }: ExecutionDetails): Promise<void> {
  const events = await who.logs(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events.filter(({ type }) => type === 'step.completed')).toHaveLength(steps.length);
  expect(events.filter(({ type }) => type === 'execution.completed')).toHaveLength(1);
}
