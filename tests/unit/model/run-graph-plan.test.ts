import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { pipelineCreation } from '../../../contract/executions/pipeline.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { planPipeline } from '../../../src/model/run/plan/pipeline-plan.ts';
import { canvasGraphProblems } from '../../../src/model/run/plan/run-graph-plan.ts';
import { executionStartOf, pipelineOf } from '../../../src/model/run/plan/run-payloads.ts';
import { agentNode, agentOf, chainDocument, dialogNode, documentOf, link, projectId } from '../../support/engine/samples.ts';

const crew: Agent[] = ['a', 'b', 'c', 'e', 'f'].map((name, at) => agentOf(at + 1, name, 'Developer', { title: name.toUpperCase() }));
const agents = crew.map((agent, at) => agentNode(agent.name, agent, at * 400, 0));
const user = (id: string): CanvasNode => ({ id, type: 'agent', isUser: true, title: id, role: 'user', serverAgentId: id, x: 0, y: 600 });
const withRun = (one: Connection, run: LinkSettings): Connection => ({ ...one, run });

function planOf(links: Connection[], { parallelSteps, cards = agents }: { parallelSteps?: number; cards?: CanvasNode[] } = {}) {
  return planPipeline(documentOf(cards, links), crew, null, { parallelSteps });
}

function creationOf(...given: Parameters<typeof planOf>) {
  const planned = planOf(...given);
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
  return pipelineCreation.parse(pipelineOf(planned.plan, projectId, 'Shop'));
}

test('W5.03 a canvas without settings makes the same pipeline as before, one step after another', () => {
  const names = crew.map(({ name }) => name);
  const someLinks = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 8 });
  fc.assert(
    fc.property(someLinks, (pairs) => {
      const unlike = [...new Map(pairs.filter(([from, to]) => from !== to).map((pair) => [pair.join(), pair])).values()];
      const links = unlike.map(([from, to]) => link(from, to));
      const planned = planOf(links, { parallelSteps: 1 });
      if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
      const pipeline = pipelineOf(planned.plan, projectId, 'Shop');
      expect(Object.keys(pipeline)).toEqual(['name', 'description', 'projectId', 'steps', 'configuration']);
      expect(executionStartOf(planned.plan, 'p-1', { task: 'Work', message: null }).pauseBetweenStepsMs).toBe(1_000);
      for (const step of pipeline.steps) expect(Object.keys(step)).not.toContain('settings');
    }),
  );
});

test('W5.03 branches together: the pipeline has only the links that lead forward, and no pause', () => {
  const links = [link('a', 'b'), link('a', 'c'), link('b', 'e'), link('c', 'e'), link('e', 'a')];
  const planned = planOf(links, { parallelSteps: 4 });
  if (!planned.ok) throw new Error('It runs');
  const pipeline = pipelineOf(planned.plan, projectId, 'Shop');
  expect(pipeline).toMatchObject({ maxParallel: 4, groups: [] });
  expect(pipeline.links?.map(({ id, from, to }) => [id, from, to])).toEqual(
    [link('a', 'b'), link('a', 'c'), link('b', 'e'), link('c', 'e')].map(({ id, from, to }) => [id, from.agentId, to.agentId]),
  );
  expect(planned.plan.warnings).toMatchObject([{ code: 'link.backward', params: { from: 'E', to: 'A' } }]);
  expect(executionStartOf(planned.plan, 'p-1', { task: 'Work', message: null }).pauseBetweenStepsMs).toBe(0);
});

test('D1.01 moving cards changes neither the links that lead back nor what the run’s graph says', () => {
  const names = crew.map(({ name }) => name);
  const drawn = fc.array(fc.tuple(fc.constantFrom(...names, 'd', 'u'), fc.constantFrom(...names, 'd', 'u')), {
    minLength: 1,
    maxLength: 14,
  });
  const at = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(drawn, fc.array(at, { minLength: 14, maxLength: 14 }), fc.boolean(), (pairs, places, withDialog) => {
      const unlike = [...new Map(pairs.filter(([from, to]) => from !== to).map((pair) => [pair.join(), pair])).values()];
      const links = [...unlike, ...(withDialog ? [['d', names[0] as string] as const] : [])].map(([from, to]) => link(from, to));
      const said = (offset: number) => {
        const cards = [...agents, user('u'), dialogNode('d', 0, 0)].map((card, index) => {
          const [x, y] = places[(index + offset) % places.length] as [number, number];
          return { ...card, x: x * 400, y: y * 300 };
        });
        const document = documentOf(cards, links);
        const planned = planPipeline(document, crew, withDialog ? (document.nodes.d as CanvasNode) : null, { parallelSteps: 4 });
        if (!planned.ok) return planned.problems.map(({ code }) => code);
        const { warnings, graph, steps } = planned.plan;
        return {
          back: warnings.map((warning) => JSON.stringify(warning)).toSorted(),
          steps: steps.map(({ nodeId }) => nodeId).toSorted(),
          links: graph?.links.map(({ id: _id, ...rest }) => JSON.stringify(rest)).toSorted(),
        };
      };
      expect(said(7)).toEqual(said(0));
    }),
    { numRuns: 500 },
  );
});

test('W5.03 a review loop makes a graph of a project that works one after another, with its pause and without a warning', () => {
  const links = [
    link('a', 'b'),
    withRun(link('b', 'a'), { label: 'rework', maxRounds: 3 }),
    withRun(link('b', 'c'), { label: 'accepted' }),
  ];
  const planned = planOf(links);
  if (!planned.ok) throw new Error('It runs');
  expect(pipelineOf(planned.plan, projectId, 'Shop')).toMatchObject({
    maxParallel: 1,
  });
  expect(creationOf(links).links).toEqual(
    expect.arrayContaining([
      { id: 'conn-b-a', from: 'b', to: 'a', label: 'rework', maxRounds: 3 },
      { id: 'conn-b-c', from: 'b', to: 'c', label: 'accepted' },
    ]),
  );
  expect(planned.plan.warnings).toEqual([]);
  expect(executionStartOf(planned.plan, 'p-1', { task: 'Work', message: null }).pauseBetweenStepsMs).toBe(1_000);
});

test('W5.03 links through user cards join the agents on both sides, and what the first link says holds', () => {
  const cards = [...agents.slice(0, 4), user('u'), user('v')];
  const links = [
    withRun(link('a', 'u'), { label: 'yes' }),
    withRun(link('b', 'u'), { onFailure: true }),
    link('u', 'v'),
    link('v', 'c'),
    link('v', 'e'),
    withRun(link('a', 'e'), { label: 'yes' }),
  ];
  const { links: made = [] } = creationOf(links, { cards });
  expect(made.map(({ from, to, label, onFailure }) => [from, to, label ?? onFailure])).toEqual(
    expect.arrayContaining([
      ['a', 'e', 'yes'],
      ['a', 'c', 'yes'],
      ['b', 'c', true],
      ['b', 'e', true],
    ]),
  );
  expect(made).toHaveLength(4);
  expect(new Set(made.map(({ id }) => id)).size).toBe(4);
});

test('W5.03 settings of agents and groups with a list reach the steps that they belong to', () => {
  const group: CanvasNode = {
    id: 'g',
    type: 'group',
    title: 'Each',
    x: 380,
    y: -40,
    width: 400,
    height: 300,
    forEach: { onFailure: 'skip' },
  };
  const cards = agents.slice(0, 3).map((card) => (card.id === 'c' ? { ...card, step: { firstWins: true as const } } : card));
  const creation = creationOf([link('a', 'b'), link('b', 'c')], { cards: [...cards, group] });
  expect(creation.groups).toEqual([{ id: 'g', onFailure: 'skip' }]);
  expect(creation.steps.map(({ nodeId, groupId, settings }) => [nodeId, groupId, settings])).toEqual([
    ['a', undefined, undefined],
    ['b', 'g', undefined],
    ['c', undefined, { firstWins: true }],
  ]);
});

test('W5.03 D1.05 a graph that cannot run is refused before the run, and its cards and links are named', () => {
  const twoEntries = [link('a', 'b'), link('b', 'c'), withRun(link('c', 'b'), { maxRounds: 2 }), link('e', 'c')];
  expect(planOf(twoEntries)).toMatchObject({
    ok: false,
    problems: [{ code: 'graph.twoEntries', params: { steps: 'B, C', links: 'A → B, E → C' } }],
  });
  const problem = {
    severity: 'error',
    code: 'graph.twoEntries',
    nodeId: 'b',
    nodeIds: ['b', 'c'],
    connectionIds: ['conn-a-b', 'conn-e-c'],
  };
  expect(canvasGraphProblems(documentOf(agents, twoEntries))).toMatchObject([problem]);
  // Without rounds as well, where a run follows links; a plain canvas keeps them as links that pass nothing back.
  const unmarked = [link('a', 'b'), link('b', 'c'), link('c', 'b'), link('e', 'c')];
  expect(planOf(unmarked, { parallelSteps: 4 })).toMatchObject({
    ok: false,
    problems: [{ code: 'graph.twoEntries', params: { steps: 'B, C' } }],
  });
  expect(planOf(unmarked)).toMatchObject({ ok: true, plan: { graph: null } });
  const group = (id: string, width: number): CanvasNode => ({
    ...{
      id,
      type: 'group',
      title: id,
      x: 380 - (width > 400 ? 20 : 0),
      y: width > 400 ? -80 : -40,
      width,
      height: width > 400 ? 700 : 300,
    },
    forEach: { onFailure: 'stop' },
  });
  const nested = documentOf([...agents, group('inner', 400), group('outer', 900)], [link('a', 'b'), link('b', 'c')]);
  expect(canvasGraphProblems(nested)).toMatchObject([{ code: 'graph.listInList', params: { steps: 'inner, outer' } }]);
  expect(canvasGraphProblems(chainDocument())).toEqual([]);
});
