import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { Pipeline } from '../../../../contract/executions/pipeline.ts';
import { checkPipeline } from '../../../../server/modules/pipelines/check-pipeline.ts';

type Step = Pipeline['steps'][number];

const agents = ['a', 'b', 'c'].map((id) => ({ id, status: 1 as const }));
const step = (agentId: string, orderIndex: number, more: Partial<Step> = {}): Step => ({
  ...{ id: `step-${agentId}`, name: agentId.toUpperCase(), description: '', orderIndex, agentId, nodeId: agentId },
  ...{ timeoutSeconds: 1_800, type: 1, ...more },
});
const card = (id: string, more: Partial<CanvasNode> = {}): CanvasNode => ({
  ...{ id, type: 'agent', title: id.toUpperCase(), serverAgentId: id, color: { background: '#fff', border: '#000' }, x: 0, y: 0 },
  ...more,
});
const link = (from: string, to: string, id = `conn-${from}-${to}`): Connection => ({
  ...{ id, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } },
});
const pipelineOf = (steps: Step[], configuration: string): Pipeline => ({
  ...{ id: 'p', name: 'P', description: '', projectId: 'q', steps, configuration, status: 'ready' },
  ...{ maxExecutionTimeSeconds: null, isDemo: false, createdAt: '', updatedAt: '' },
});

function findings(steps: Step[], links: unknown[] = [], cards: CanvasNode[] = [card('a'), card('b'), card('c')]): string[] {
  const canvas = { nodes: Object.fromEntries(cards.map((node) => [node.id, node])) };
  const found = checkPipeline(pipelineOf(steps, JSON.stringify({ connections: links })), agents, canvas);
  return found.map(({ severity, code, nodeId }) => `${severity} ${code} ${nodeId}`);
}

test('W7.05 nothing is wrong with a pipeline as the canvas makes it', () => {
  const ask = card('ask', { type: 'dialog', goal: 'Help' });
  const links = [link('ask', 'a'), link('a', 'b')];
  expect(findings([step('a', 0), step('b', 1)], links, [ask, card('a'), card('b')])).toEqual([]);
  expect(findings([step('a', 0, { nodeId: null }), step('b', 1, { nodeId: null })], [], [])).toEqual([]);
});

test.each<[string, Step[], unknown[], CanvasNode[] | undefined]>([
  ['error agent.serverMissing a', [step('a', 0, { agentId: 'gone' })], [], [card('a', { serverAgentId: 'gone' })]],
  ['error agent.serverIdTwice b', [step('a', 0), step('b', 1, { agentId: 'a' })], [], [card('a'), card('b', { serverAgentId: 'a' })]],
  ['error node.idTwice a', [step('a', 0), step('b', 1, { nodeId: 'a' })], [], [card('a', { serverAgentId: undefined })]],
  ['error agent.titleMissing a', [step('a', 0)], [], [card('a', { title: '' })]],
  ['error dialog.goalMissing ask', [step('a', 0)], [link('ask', 'a')], [card('ask', { type: 'dialog' }), card('a')]],
  ['error dialog.titleMissing ask', [step('a', 0)], [link('ask', 'a')], [card('ask', { type: 'dialog', title: '', goal: 'x' }), card('a')]],
  ['error start.titleMissing go', [step('a', 0)], [link('go', 'a')], [card('go', { type: 'start', title: '' }), card('a')]],
  ['error link.sourceMissing a', [step('a', 0)], [link('lost', 'a')], undefined],
  ['error link.targetMissing a', [step('a', 0)], [link('a', 'lost')], undefined],
  ['error link.self a', [step('a', 0)], [link('a', 'a')], undefined],
  ['error link.idTwice b', [step('a', 0), step('b', 1), step('c', 2)], [link('a', 'b', 'one'), link('b', 'c', 'one')], undefined],
  ['error link.duplicate a', [step('a', 0), step('b', 1)], [link('a', 'b'), link('a', 'b', 'other')], undefined],
  ['error link.fromPortWrong a', [step('a', 0), step('b', 1)], [{ ...link('a', 'b'), from: { agentId: 'a', port: 'in' } }], undefined],
  ['error link.toPortWrong a', [step('a', 0), step('b', 1)], [{ ...link('a', 'b'), to: { agentId: 'b' } }], undefined],
  ['warning agent.colorMissing a', [step('a', 0)], [], [card('a', { color: undefined })]],
  ['warning agent.idDiffers x', [step('a', 0, { nodeId: 'x' })], [], [card('x', { serverAgentId: 'a' })]],
  ['warning step.cardMissing a', [step('a', 0)], [], []],
  ['warning step.agentDiffers a', [step('a', 0)], [], [card('a', { serverAgentId: 'b' })]],
  ['warning link.backward b', [step('a', 0), step('b', 1)], [link('a', 'b'), link('b', 'a')], undefined],
])('W5.04 W5.05 W7.05 the check of a pipeline finds: %s', (expected, steps, links, cards) => {
  expect(findings(steps, links, cards)).toContain(expected);
});

test('W5.04 an agent that is not active is a warning', () => {
  const resting = [{ id: 'a', status: 0 as const }];
  expect(checkPipeline(pipelineOf([step('a', 0)], '{}'), resting, { nodes: { a: card('a') } })).toEqual([
    { severity: 'warning', code: 'agent.notActive', params: { name: 'A' }, nodeId: 'a' },
  ]);
});

test('W7.05 a configuration may be any text: one that cannot be read is an error, never a fault', () => {
  expect(
    findings([step('a', 0)], [null, 7, 'x', { from: 1 }]).filter((found) => found.startsWith('error link.sourceMissing')),
  ).toHaveLength(4);
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.constant('{"connections":{}}')), fc.string(), (configuration, nodeId) => {
      const codes = checkPipeline(pipelineOf([step('a', 0, { nodeId })], configuration), agents, { nodes: {} }).map(({ code }) => code);
      expect(codes).toContain('step.cardMissing');
    }),
  );
  const unreadable = checkPipeline(pipelineOf([step('a', 0)], 'not JSON'), agents, { nodes: { a: card('a') } });
  expect(unreadable).toEqual([{ severity: 'error', code: 'pipeline.configurationUnreadable', nodeId: null }]);
});
