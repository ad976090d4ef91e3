import { beforeEach, expect, test } from 'vitest';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { unreachable } from '../../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { chainDocument, link } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;
let tab: Tab;

const [ab, bc] = [link('a', 'b').id, link('b', 'c').id];
const hold = (ids: string[], how: 'always' | 'once' | undefined) => ({ type: 'links.hold', ids, hold: how }) as const;
const holdsOnServer = () => server.runs[0]?.execution.holds;

beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
  tab = await new Tab(browser, server).open();
});

const start = () => tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });

test('G2.02 a hold set before a run goes with its links, and needs no call of its own', async () => {
  await tab.does(hold([bc], 'always'));
  await start();
  const [pipeline] = server.pipelines.values();
  expect(pipeline?.links?.find(({ id }) => id === bc)).toMatchObject({ hold: 'always' });
  expect(server.calls).not.toContain('execution.setHolds');
});

test('G2.02 a hold set on the canvas during a run applies to the run at work, while other edits are refused', async () => {
  await start();
  expect(await tab.does({ type: 'link.update', id: ab, changes: { label: 'x' } })).toMatchObject({ error: { code: 'run.locked' } });
  expect(await tab.does(hold([ab, bc], 'always'))).toMatchObject({ ok: true });
  await browser.clock.pass(50);
  expect(holdsOnServer()).toEqual({ all: false, links: { [ab]: 'always', [bc]: 'always' } });
  expect(tab.state.document.connections[ab]?.run).toEqual({ hold: 'always' });
  await tab.does(hold([ab], undefined));
  await browser.clock.pass(50);
  expect(holdsOnServer()).toEqual({ all: false, links: { [ab]: 'never', [bc]: 'always' } });
});

test('G2.02 a hold set during a run on a link beside a user card holds the hand-off that goes through this card', async () => {
  const document = chainDocument();
  const { [bc]: direct, ...others } = document.connections;
  const user: CanvasNode = { ...(document.nodes.b as CanvasNode), id: 'u', title: 'U', isUser: true };
  const through = [link('b', 'u'), link('u', 'c')];
  const connections = { ...others, ...Object.fromEntries(through.map((one) => [one.id, one])) };
  server = new FakeServer({ nodes: { ...document.nodes, u: user }, connections });
  tab = await new Tab(freshBrowser(), server).open();
  expect(direct).toBeDefined();
  await start();
  await tab.does(hold([through[0]?.id ?? ''], 'always'));
  await browser.clock.pass(50);
  const [, second, third] = tab.state.run.steps;
  expect(holdsOnServer()).toEqual({ all: false, links: { [`${second?.stepId}>${third?.stepId}`]: 'always' } });
});

test('G2.02 holding every hand-off is kept with the project and goes with its next run', async () => {
  const id = tab.state.project?.id ?? '';
  await tab.does({ type: 'project.update', id, holdHandOffs: true });
  expect(tab.state.project?.holdHandOffs).toBe(true);
  await start();
  expect(holdsOnServer()).toEqual({ all: true, links: {} });
});

test('G2.02 the newest of several holds that are set quickly reach the run', async () => {
  await start();
  const first = server.hold('execution.setHolds');
  await tab.does(hold([ab], 'always'));
  await tab.does(hold([bc], 'always'));
  await tab.does(hold([ab], 'once'));
  first();
  await browser.clock.pass(50);
  expect(holdsOnServer()).toEqual({ all: false, links: { [ab]: 'once', [bc]: 'always' } });
});

test('G2.02 every hand-off of a run is held and released; a tab shows what another one has set', async () => {
  await start();
  const other = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does({ type: 'run.setHolds', holds: { all: true, links: {} } });
  await browser.clock.pass(50);
  expect(tab.state.run.execution?.holds?.all).toBe(true);
  expect(other.state.run.execution?.holds?.all).toBe(true);
  await tab.does({ type: 'run.setHolds', holds: { all: false, links: {} } });
  expect(holdsOnServer()).toEqual({ all: false, links: {} });
});

test('G2.02 a hold that the run did not get is reported, and is not sent with a later one', async () => {
  await start();
  server.faults.set('execution.setHolds', unreachable);
  await tab.does(hold([ab], 'always'));
  await browser.clock.pass(1_100);
  expect(holdsOnServer()).toBeUndefined();
  expect(tab.state.notices.map(({ code }) => code)).toContain('run.holdsNotSet');
  server.faults.delete('execution.setHolds');
  await tab.does(hold([bc], 'once'));
  await browser.clock.pass(50);
  expect(holdsOnServer()).toEqual({ all: false, links: { [bc]: 'once' } });
});
