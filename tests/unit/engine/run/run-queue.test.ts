import { beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../../contract/agent.ts';
import { pollMs } from '../../../../src/workers/engine/run/run-follower.ts';
import { unreachable } from '../../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { agentNode, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

const [first, second, third] = team as [Agent, Agent, Agent];

let browser: Browser;
let server: FakeServer;
let tab: Tab;

/** Two dialogs, each with its own team: `d` with a and b, `e` with c. */
beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(
    documentOf(
      [
        dialogNode('d', 0, 0, { title: 'Shop' }),
        ...[agentNode('a', first, 350, 0), agentNode('b', second, 700, 0)],
        dialogNode('e', 0, 600, { title: 'Bakery' }),
        agentNode('c', third, 350, 600),
      ],
      [link('d', 'a'), link('a', 'b'), link('e', 'c')],
    ),
  );
  tab = await new Tab(browser, server).open({ realtime: 'off' });
});

const send = (nodeId: string, text: string) => ({ type: 'dialog.send', nodeId, text }) as const;
const tasks = () => server.runs.map(({ execution: { initialTask, held } }) => [initialTask, held ? 'waits' : 'started']);

test('R41.01 a message of a dialog whose target takes no part in the run waits, and starts its own run after it', async () => {
  await tab.does(send('d', 'Build a shop'));
  expect(await tab.does(send('e', 'Plan a bakery'))).toMatchObject({ ok: true });
  expect(server.runs[0]?.contexts).toEqual([]);
  expect(tasks()).toEqual([
    ['Build a shop', 'started'],
    ['Plan a bakery', 'waits'],
  ]);
  expect(tab.state.queue).toMatchObject([{ dialogNodeId: 'e', text: 'Plan a bakery', followsId: null }]);
  server.doAll(server.runs[0] as never);
  await browser.clock.pass(pollMs + 100);
  expect(tasks()[1]).toEqual(['Plan a bakery', 'started']);
  expect(server.runs[1]?.steps.map(({ nodeId }) => nodeId)).toEqual(['c']);
  expect(tab.state).toMatchObject({ queue: [], run: { phase: 'running', execution: { initialTask: 'Plan a bakery' } } });
});

test('R41.01 the queue survives a reload, and its messages start if the run has ended meanwhile', async () => {
  await tab.does(send('d', 'Build a shop'));
  await tab.does(send('e', 'Plan a bakery'));
  tab.die();
  const again = await new Tab(browser, server).open({ realtime: 'off' });
  await browser.clock.pass(100);
  expect(again.state.queue).toMatchObject([{ dialogNodeId: 'e', text: 'Plan a bakery' }]);
  again.die();
  server.doAll(server.runs[0] as never);
  const later = await new Tab(browser, server).open({ realtime: 'off' });
  await browser.clock.pass(pollMs + 100);
  expect(later.state).toMatchObject({ queue: [], run: { phase: 'running', execution: { initialTask: 'Plan a bakery' } } });
});

test('R41.01 a queued message is started once by two tabs, and can be withdrawn until then', async () => {
  await tab.does(send('d', 'Build a shop'));
  await tab.does(send('e', 'Plan a bakery'));
  const [queued] = tab.state.queue;
  expect(await tab.does({ type: 'run.withdraw', executionId: queued?.executionId ?? '' })).toMatchObject({ ok: true });
  expect([tasks(), tab.state.queue, server.pipelines.size]).toEqual([[['Build a shop', 'started']], [], 1]);
  await tab.does(send('e', 'Plan a bakery'));
  const other = await new Tab(browser, server, 'tab-2').open({ realtime: 'off' });
  await browser.clock.pass(100);
  const [again] = other.state.queue;
  server.doAll(server.runs[0] as never);
  await browser.clock.pass(2 * pollMs + 100);
  expect(server.runs.flatMap(({ events }) => events.filter(({ type }) => type === 'execution.started'))).toHaveLength(2);
  for (const one of [tab, other]) expect(one.state.run.execution?.initialTask).toBe('Plan a bakery');
  expect(await other.does({ type: 'run.withdraw', executionId: again?.executionId ?? '' })).toMatchObject({
    ok: false,
    error: { code: 'run.notQueued' },
  });
});

test('R41.01 a message during the last step starts a follow-up run of its target with the results of the run', async () => {
  await tab.does(send('d', 'Build a shop'));
  const [run] = server.runs;
  server.beginStep();
  server.finishStep('A plan');
  server.beginStep();
  await browser.clock.pass(pollMs);
  expect(await tab.does(send('d', 'And in green'))).toMatchObject({ ok: true });
  expect(run?.contexts).toEqual([]);
  expect(tab.state.queue).toMatchObject([{ text: 'And in green', followsId: run?.execution.id }]);
  server.finishStep('A shop', run as never);
  server.finish(run as never);
  await browser.clock.pass(pollMs + 100);
  const followUp = server.runs[1];
  expect(followUp?.execution).toMatchObject({ initialTask: 'And in green', held: false });
  expect(followUp?.steps.map(({ nodeId }) => nodeId)).toEqual(['a']);
  expect(followUp?.contexts.map(({ content }) => content)).toEqual([expect.stringMatching(/Build a shop[\s\S]*A plan[\s\S]*A shop/)]);
});

test('R41.01 a message that the server refuses since the last step has begun is not lost: it starts a follow-up run', async () => {
  await tab.does(send('d', 'Build a shop'));
  server.beginStep();
  server.finishStep('A plan');
  await browser.clock.pass(pollMs);
  // The page has no event of this yet.
  server.beginStep();
  expect(await tab.does(send('d', 'And in green'))).toMatchObject({ ok: true });
  expect(server.runs[0]?.contexts).toEqual([]);
  expect(tab.state.queue).toMatchObject([{ text: 'And in green' }]);
});

test('R41.01 a message that could not be queued is refused, and nothing of it stays on the server', async () => {
  await tab.does(send('d', 'Build a shop'));
  server.faults.set('execution.create', unreachable);
  const sent = tab.doesIn(2_000, send('e', 'Plan a bakery'));
  expect(await sent).toMatchObject({ ok: false, error: { code: 'network' } });
  expect([tab.state.queue, server.pipelines.size]).toEqual([[], 1]);
});

test('R41.01 after a stop the queued message starts; after a failed start it stays queued and the ended run is shown', async () => {
  await tab.does(send('d', 'Build a shop'));
  await tab.does(send('e', 'Plan a bakery'));
  server.faults.set('execution.start', unreachable);
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(2_000);
  expect(tab.state).toMatchObject({ queue: [{ text: 'Plan a bakery' }], run: { phase: 'stopped', outcome: 'cancelled' } });
  server.faults.clear();
  await tab.does({ type: 'workspace.reload' });
  await browser.clock.pass(pollMs);
  expect(tab.state).toMatchObject({ queue: [], run: { phase: 'running', execution: { initialTask: 'Plan a bakery' } } });
});
