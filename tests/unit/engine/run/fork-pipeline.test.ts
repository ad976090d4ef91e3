import { beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import type { Command } from '../../../../src/model/commands.ts';
import { markAsQueued } from '../../../../src/model/run/queued-run.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { agentNode, chainDocument, documentOf, link, team } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;
let tab: Tab;
let executionId: string;

beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
  tab = await new Tab(browser, server).open();
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  executionId = server.runs[0]?.execution.id ?? '';
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(3_000);
});

const store = async () => {
  const outcome = await tab.does({ type: 'run.storeForkPipeline', executionId });
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value?.pipelineId ?? null;
};

test('G5.02 the canvas as it is now is the pipeline of a fork, stored once until an edit, and removed when no fork takes it', async () => {
  const before = server.pipelines.size;
  const first = await store();
  expect(server.pipelines.get(first ?? '')?.steps.map(({ nodeId }) => nodeId)).toEqual(['a', 'b', 'c']);
  expect(await store()).toBe(first);
  await tab.does({ type: 'selection.remove', nodeIds: ['c'], connectionIds: [] });
  const second = await store();
  expect(second).not.toBe(first);
  expect(server.pipelines.get(second ?? '')?.steps.map(({ nodeId }) => nodeId)).toEqual(['a', 'b']);
  expect(server.pipelines.has(first ?? '')).toBe(false);
  await tab.does({ type: 'run.dropForkPipeline' });
  expect(server.pipelines.size).toBe(before);
});

test('G5.02 a canvas that cannot run makes no pipeline, and one without the cards of the run leaves the run its own', async () => {
  await tab.does({ type: 'selection.remove', nodeIds: ['a', 'b', 'c'], connectionIds: [] });
  expect(await store()).toBeNull();
  await tab.does({ type: 'history.undo' });
  server.runs[0]?.steps.splice(0, 99);
  expect(await store()).toBeNull();
});

const start = (id: string): CanvasNode => ({ id, type: 'start', title: id, x: 0, y: 0 });
const cards = ['a', 'b', 'x'].map((id, at) => agentNode(id, team[at] as Agent, 300 * (at + 1), 0));
/** Two start cards with an agent each, and one that both lead to. */
const twoStarts = () =>
  documentOf([start('one'), start('other'), ...cards], [link('one', 'a'), link('other', 'b'), link('a', 'x'), link('b', 'x')]);
const nodesOf = (id: string | null) => server.pipelines.get(id ?? '')?.steps.map(({ nodeId }) => nodeId);

async function ran(document: CanvasDocument, command: Command) {
  browser = freshBrowser();
  server = new FakeServer(document);
  tab = await new Tab(browser, server).open();
  await tab.does(command as never);
  executionId = server.runs[0]?.execution.id ?? '';
  server.emit(server.runs[0] as never, 'execution.completed', { status: 'completed' });
  await browser.clock.pass(10_000);
}

test('G5.02 a run that one start card began runs again with what that card leads to now, and not with the rest of the canvas', async () => {
  await ran(twoStarts(), { type: 'run.start', startNodeId: 'one', task: 'Build a shop' });
  const pipelineId = server.runs[0]?.execution.pipelineId ?? '';
  expect(nodesOf(pipelineId)).toEqual(['a', 'x']);
  expect(nodesOf(await store())).toEqual(['a', 'x']);
  // Of a removed pipeline the cards that it began with are known.
  server.pipelines.delete(pipelineId);
  expect(nodesOf(await store())).toEqual(['a', 'x']);
});

test('G5.02 a run of all start cards, and one of a canvas without any, run again whole', async () => {
  await ran(twoStarts(), { type: 'run.start', task: 'Build a shop' });
  expect(nodesOf(await store())).toEqual(['a', 'b', 'x']);
  await ran(documentOf(cards, [link('a', 'x')]), { type: 'run.start', task: 'Build a shop' });
  expect(nodesOf(await store())).toEqual(['a', 'x', 'b']);
});

/** Links of a run's steps by the canvas. */
const chainOfThree = () => documentOf([start('one'), ...cards], [link('one', 'a'), link('a', 'b'), link('b', 'x')]);

test('D4.28 a run from one card runs again with the cards that follow, also once its pipeline is removed, and in a fork', async () => {
  await ran(chainOfThree(), { type: 'run.start', cardId: 'b', task: 'Build a shop' });
  const pipelineId = server.runs[0]?.execution.pipelineId ?? '';
  expect(nodesOf(pipelineId)).toEqual(['b', 'x']);
  const stored = await store();
  expect(nodesOf(stored)).toEqual(['b', 'x']);
  await tab.does({ type: 'run.fork', executionId, request: { graph: 'now', pipelineId: stored ?? '' } });
  expect(server.forks.at(-1)?.request.begunWith).toEqual({ nodeIds: ['b'] });
  server.pipelines.delete(pipelineId);
  expect(nodesOf(await store())).toEqual(['b', 'x']);
  // Of a card that is gone the other cards of its run are left.
  await tab.does({ type: 'selection.remove', nodeIds: ['b'], connectionIds: [] });
  expect(nodesOf(await store())).toEqual(['x']);
});

test('D4.27 a card that ran alone runs alone again, and with all that follows it from here', async () => {
  await ran(chainOfThree(), { type: 'run.start', cardId: 'b', alone: true, task: 'Build a shop' });
  expect(nodesOf(await store())).toEqual(['b']);
  for (const step of server.runs[0]?.steps ?? []) Object.assign(step, { status: 'completed', result: 'Done.' });
  let asked: string[] | undefined;
  server.onFork = ({ pipelineId }) => {
    asked = nodesOf(pipelineId ?? null) as string[] | undefined;
  };
  await tab.does({ type: 'run.fromCard', nodeId: 'b', alone: false });
  expect(asked).toEqual(['b', 'x']);
  expect(server.forks.at(-1)?.request.begunWith).toEqual({ nodeIds: ['b'] });
});

test('D1.03 a run from a card contains that card and the cards that follow, also where none of these cards can work', async () => {
  await ran(chainOfThree(), { type: 'run.start', cardId: 'x', task: 'Build a shop' });
  await tab.does({ type: 'nodes.set', nodeIds: ['x'], changes: { disabled: true } });
  expect(await tab.does({ type: 'run.storeForkPipeline', executionId })).toMatchObject({ ok: false, error: { code: 'run.noValidAgents' } });
});

test('G5.02 a run whose dialog is gone has its own cards, and not the rest of the canvas', async () => {
  const document = chainDocument();
  document.nodes.other = agentNode('other', team[4] as Agent, 0, 900);
  await ran(document, { type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  await tab.does({ type: 'selection.remove', nodeIds: ['d'], connectionIds: [] });
  expect(nodesOf(await store())).toEqual(['a', 'b', 'c']);
  // A run from before says nothing: it is read as then.
  delete server.runs[0]?.start.inputData?.begunWith;
  expect(nodesOf(await store())).toEqual(['a', 'b', 'c', 'other']);
});

test('G5.02 a message that followed a run ran its target alone, and does so again', async () => {
  await ran(chainDocument(), { type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  const pipeline = server.pipelines.get(server.runs[0]?.execution.pipelineId ?? '');
  if (!pipeline) throw new Error('The run has no pipeline.');
  server.pipelines.set(pipeline.id, { ...pipeline, configuration: markAsQueued(pipeline.configuration, 'earlier') });
  Object.assign(server.runs[0]?.start.inputData ?? {}, { begunWith: { nodeIds: ['d'], alone: true } });
  expect(nodesOf(await store())).toEqual(['a']);
  // A run from before says so in its pipeline alone.
  delete server.runs[0]?.start.inputData?.begunWith;
  expect(nodesOf(await store())).toEqual(['a']);
});
