import { beforeEach, expect, test } from 'vitest';
import { knowsAllBefore, lastRunOfCard } from '../../../../src/model/run/last-run-of-card.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { agentNode, agentOf, chainDocument, documentOf, link } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;
let tab: Tab;

beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
  tab = await new Tab(browser, server).open();
});

const steps = () => server.runs[0]?.steps ?? [];
const nodesOf = (pipelineId: string | undefined) => server.pipelines.get(pipelineId ?? '')?.steps.map(({ nodeId }) => nodeId);

/** A run of the chain in which these cards have worked. */
async function ran(...nodeIds: string[]) {
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  for (const step of steps())
    Object.assign(step, nodeIds.includes(step.nodeId ?? '') ? { status: 'completed', result: 'Done.' } : { status: 'skipped' });
  server.emit(server.runs[0] as never, 'execution.completed', { status: 'completed' });
  await browser.clock.pass(10_000);
}

test('D4.28 a card runs from here in the canvas as it is now, with the results of its newest run, and no run is opened first', async () => {
  await ran('a', 'b', 'c');
  await tab.does({ type: 'run.clear' });
  await tab.does({ type: 'run.fromCard', nodeId: 'b', alone: false });
  const [asked] = server.forks;
  const stepId = steps().find(({ nodeId }) => nodeId === 'b')?.stepId;
  expect(asked).toMatchObject({
    executionId: server.runs[0]?.execution.id,
    request: { graph: 'now', keepsResults: true, endsThere: false },
  });
  expect(asked?.request.from).toEqual({ stepId, round: 0, item: 0 });
});

test('D4.27 a card that the last run never had runs alone with the results of those before it', async () => {
  await ran('a', 'b', 'c');
  await tab.does({ type: 'node.place', item: { kind: 'agent', agentId: tab.state.agents.order[4] ?? '' }, after: 'c' });
  const added = Object.keys(tab.state.document.nodes).find((id) => !['d', 'a', 'b', 'c'].includes(id)) ?? '';
  await tab.does({ type: 'run.fromCard', nodeId: added, alone: true });
  expect(server.forks).toHaveLength(1);
  const { request } = server.forks[0] ?? {};
  expect(request).toMatchObject({ graph: 'now', keepsResults: true, endsThere: true });
  expect(request?.from?.stepId).not.toBe(undefined);
  expect(steps().map(({ stepId }) => stepId)).not.toContain(request?.from?.stepId);
  // The fork was refused, so that its pipeline goes.
  expect(server.pipelines.has(request?.pipelineId ?? '')).toBe(false);
});

test('D4.27 without a result the task is asked, and the card runs alone on it', async () => {
  expect(await tab.does({ type: 'run.fromCard', nodeId: 'b', alone: true })).toMatchObject({ ok: false, error: { code: 'run.noResults' } });
  expect(await tab.does({ type: 'run.start', cardId: 'b', alone: true })).toMatchObject({ error: { code: 'run.taskNeeded' } });
  await tab.does({ type: 'run.start', cardId: 'b', alone: true, task: 'Build a shop' });
  expect(nodesOf(server.runs[0]?.execution.pipelineId)).toEqual(['b']);
  // It does so again in its own pipeline: on the canvas it would wait for the card before it.
  Object.assign(steps()[0] ?? {}, { status: 'completed', result: 'Done.' });
  server.emit(server.runs[0] as never, 'execution.completed', { status: 'completed' });
  await browser.clock.pass(10_000);
  await tab.does({ type: 'run.fromCard', nodeId: 'b', alone: true });
  expect(server.forks.map(({ request }) => [request.pipelineId, request.from?.stepId])).toEqual([[undefined, steps()[0]?.stepId]]);
});

test('D4.28 without a result the run begins with the card and has what follows it', async () => {
  await tab.does({ type: 'run.start', cardId: 'b', task: 'Build a shop' });
  expect(nodesOf(server.runs[0]?.execution.pipelineId)).toEqual(['b', 'c']);
});

test('D4.27 a card that ran for the items of a list, and a disabled card, name the alternative to a run from that card', async () => {
  await ran('a', 'b', 'c');
  for (const step of steps()) if (step.nodeId === 'b') step.item = 2;
  const codeOf = async (nodeId: string) => {
    const outcome = await tab.does({ type: 'run.fromCard', nodeId, alone: true });
    return outcome.ok ? null : outcome.error.code;
  };
  expect(await codeOf('b')).toBe('run.severalItems');
  await tab.does({ type: 'nodes.set', nodeIds: ['c'], changes: { disabled: true } });
  expect(await codeOf('c')).toBe('run.cardDisabled');
  expect(tab.state.notices.map(({ code }) => code)).toEqual(expect.arrayContaining(['run.severalItems', 'run.cardDisabled']));
  expect(server.forks).toEqual([]);
});

test('D4.28 the last results of a card are those of its last round in the newest run that has ended', () => {
  const cards = ['a', 'b'].map((id, at) => agentNode(id, agentOf(at + 1, id, 'Developer'), 300 * at, 0));
  const document = documentOf(cards, [link('a', 'b')]);
  const step = (nodeId: string, round: number, status: string) => ({ nodeId, stepId: `${nodeId}${round}`, round, status, result: 'x' });
  const run = (id: string, status: string, ...of: object[]) => ({ id, status, steps: of });
  const runs = [
    run('now', 'running', step('b', 0, 'completed')),
    run('one', 'completed', step('a', 0, 'completed'), step('b', 0, 'skipped')),
    run('two', 'failed', step('b', 0, 'completed'), step('b', 1, 'failed')),
  ] as never[];
  expect(lastRunOfCard(document, 'b', runs)).toMatchObject({ executionId: 'two', isOwn: true, steps: [{ stepId: 'b1' }] });
  expect(lastRunOfCard(document, 'b', runs.slice(0, 2))).toMatchObject({ executionId: 'one', isOwn: false });
  expect(lastRunOfCard(document, 'a', runs.slice(2))).toBeNull();
});

const chainOf = (...ids: string[]) =>
  documentOf(
    ids.map((id, at) => agentNode(id, agentOf(at + 1, id, 'Developer'), 300 * at, 0)),
    ids.slice(1).map((id, at) => link(ids[at] ?? '', id)),
  );
const at = (minute: number) => `2026-01-01T00:0${minute}:00Z`;
/** A run whose cards ended in these minutes; those with a text were kept from the run of that id. */
const runOf = (id: string, ended: Record<string, number | string | null>, begunWith?: object) => ({
  ...{ id, status: 'completed', ...(begunWith && { begunWith }) },
  steps: Object.entries(ended).map(([nodeId, minute]) => ({
    ...{ nodeId, stepId: nodeId, result: minute === null ? null : 'x', completedAt: typeof minute === 'number' ? at(minute) : at(9) },
    status: minute === null ? 'skipped' : typeof minute === 'string' ? 'reused' : 'completed',
    ...(typeof minute === 'string' && { reusedFrom: { executionId: minute, stepId: nodeId } }),
  })),
});

test('D4.28 a run from a card takes newer results of other cards from the runs that have them, and only from those', () => {
  const document = chainOf('a', 'b', 'c');
  const whole = runOf('whole', { a: 1, b: 2, c: 3 });
  const alone = runOf('alone', { a: 'whole', b: 5, c: null });
  expect(lastRunOfCard(document, 'c', [alone, whole] as never[])).toMatchObject({ executionId: 'whole', isOwn: true, othersIn: ['alone'] });
  // What was kept is not newer than where it is from.
  expect(lastRunOfCard(document, 'b', [alone, whole] as never[])).toMatchObject({ executionId: 'alone', othersIn: ['whole'] });
  expect(lastRunOfCard(document, 'b', [runOf('kept', { a: 'whole', b: 5, c: 'whole' }), whole] as never[])?.othersIn).toEqual([]);
  expect(lastRunOfCard(document, 'b', [whole] as never[])?.othersIn).toEqual([]);
});

test('D4.28 a card that ran alone goes on in the newest run that had more, and its own newest run is the base where it runs alone', () => {
  const document = chainOf('a', 'b', 'c');
  const runs = [runOf('alone', { b: 5 }, { nodeIds: ['b'], alone: true }), runOf('whole', { a: 1, b: 2, c: 3 })] as never[];
  expect(lastRunOfCard(document, 'b', runs)?.executionId).toBe('alone');
  expect(lastRunOfCard(document, 'b', runs, { goesOn: true })?.executionId).toBe('whole');
  expect(lastRunOfCard(document, 'b', runs.slice(0, 1), { goesOn: true })?.executionId).toBe('alone');
  // A card that only ran alone has the input that another run has for it.
  const given = [runs[0], runOf('given', { a: 1 })] as never[];
  expect(lastRunOfCard(document, 'b', given, { goesOn: true })).toMatchObject({ executionId: 'given', isOwn: false });
});

test('D4.28 runs are read until each card before the card has a result', () => {
  const document = chainOf('a', 'b', 'c');
  expect(knowsAllBefore(document, 'c', [runOf('one', { b: 5, c: 6 })] as never[])).toBe(false);
  expect(knowsAllBefore(document, 'c', [runOf('one', { b: 5, c: 6 }), runOf('two', { a: 1 })] as never[])).toBe(true);
  expect(knowsAllBefore(document, 'a', [])).toBe(true);
});

test('D4.28 the fork names the runs with newer results', async () => {
  await ran('a', 'b', 'c');
  for (const step of steps()) step.completedAt = at(1);
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  for (const step of server.runs[1]?.steps ?? [])
    Object.assign(step, step.nodeId === 'c' ? { status: 'skipped' } : { status: 'completed', result: 'New.', completedAt: at(5) });
  server.emit(server.runs[1] as never, 'execution.completed', { status: 'completed' });
  await browser.clock.pass(10_000);
  await tab.does({ type: 'run.fromCard', nodeId: 'c', alone: true });
  const [first, second] = server.runs.map(({ execution }) => execution.id);
  expect(server.forks).toMatchObject([{ executionId: first, request: { resultsFrom: [second] } }]);
});

test('D4.27 a card behind two ways has its input where one of them was taken', () => {
  const cards = ['a', 'b', 'c'].map((id, at) => agentNode(id, agentOf(at + 1, id, 'Developer'), 0, 0));
  const document = documentOf(cards, [link('a', 'c'), link('b', 'c')]);
  const step = (nodeId: string, status: string) => ({ stepId: nodeId, nodeId, status, result: status === 'completed' ? 'x' : null });
  const run = { id: 'one', status: 'completed', steps: [step('a', 'completed'), step('b', 'skipped'), step('c', 'completed')] };
  expect(lastRunOfCard(document, 'c', [run] as never[])).toMatchObject({ isOwn: true, hasInput: true });
  const alone = { ...run, steps: [step('a', 'skipped'), step('b', 'skipped'), step('c', 'completed')] };
  expect(lastRunOfCard(document, 'c', [alone] as never[])).toMatchObject({ isOwn: true, hasInput: false });
});

test('D4.20 agents get a model at once, and the answer says what they had', async () => {
  const agentIds = tab.state.agents.order.slice(0, 3);
  const set = await tab.does({ type: 'agents.setModels', agentIds, connectionId: null, model: 'gpt-4-turbo' });
  expect(agentIds.map((id) => tab.state.agents.byId[id]?.apiConfiguration.model)).toEqual(agentIds.map(() => 'gpt-4-turbo'));
  expect(set.ok && set.value?.modelsBefore?.map(({ agentId }) => agentId)).toEqual(agentIds);
});
