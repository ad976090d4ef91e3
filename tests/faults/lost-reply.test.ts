import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import { sampleOf } from '../support/amounts.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer } from '../support/start-server.ts';

const team = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa'];
const hook = preload('faults/lose-replies.ts');

let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer();
});
afterAll(() => models?.close());

const chain = (ann: RunAccount) => ann.pipeline(...team);

/** One step, three beside each other, and a join. */
async function graph(ann: RunAccount): Promise<Pipeline> {
  const middle = ['prod-mgr', 'team-lead', 'developer'];
  const answer = await ann.call<Pipeline>('POST', '/Pipeline', {
    name: 'Graph',
    projectId: 'default',
    maxParallel: 3,
    steps: team.map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name })),
    links: middle.flatMap((name) => [
      { id: `to ${name}`, from: 'assistant', to: name },
      { id: `of ${name}`, from: name, to: 'qa' },
    ]),
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

// Every third reply is lost: in three runs the reply of each change.
const allLost = [
  ['a chain', chain, 1],
  ['a chain', chain, 2],
  ['a chain', chain, 3],
  ['a graph', graph, 1],
  ['a graph', graph, 2],
  ['a graph', graph, 3],
] as const;
test.each(sampleOf(allLost, { some: 2 }))(
  'R23.01 %s goes on when replies of PostgreSQL are lost after the commit: each step once, charged once (%#)',
  async (_kind, pipeline, from) => {
    const server = await startServer({
      env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, NODE_OPTIONS: hook, LOSE_EVERY: '3', LOSE_FROM: String(from) },
    });
    try {
      const ann = await signUp(server.url);
      models.answer({ kind: 'text', text: 'Done' });
      const begun = performance.now();
      const { id } = await ann.start(await pipeline(ann), 'Arrive once');
      const done = await ann.until(id, ({ status }) => status !== 'running' && status !== 'pending');
      const passed = performance.now() - begun;
      expect(server.logs()).toContain('A reply was lost.');
      expect(done).toMatchObject({ status: 'completed', result: 'Done', progress: 100 });
      expect(done.steps.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
      expect(models.calls.filter(({ headers }) => String(headers['idempotency-key']).startsWith(id))).toHaveLength(5);
      const events = await ann.logs(id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
      expect(events.map(({ type }) => type)).not.toContain('step.retrying');
      const { body: statistics } = await ann.call<{ activeMs: number }>('GET', `/PipelineExecution/${id}/statistics`);
      expect(statistics.activeMs).toBeLessThanOrEqual(passed);
    } finally {
      await server.stop();
    }
  },
);
