import { beforeEach, expect, test } from 'vitest';
import { consoleMessages } from '../../../../src/model/console/console-pages.ts';
import type { WorkspaceState } from '../../../../src/model/workspace-state.ts';
import { replayedStore } from '../../../../src/workers/bridge/replayed-store.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { chainDocument, uuid } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

const send = { type: 'dialog.send', nodeId: 'd', text: 'Build a shop' } as const;
const begin = Date.parse('2026-11-20T10:00:00.000Z');
let browser: Browser;
let server: FakeServer;
let tab: Tab;

beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
  tab = await new Tab(browser, server).open();
  // The socket is open then.
  await browser.clock.pass(1_100);
  await tab.does(send);
});

/** Puts one second between the events of the newest run. */
function spaceOut(): string {
  const run = server.runs.at(-1);
  for (const [at, event] of run?.events.entries() ?? []) event.at = new Date(begin + at * 1_000).toISOString();
  return run?.execution.id ?? '';
}

async function openReplay(): Promise<string> {
  server.doAll();
  await browser.clock.pass(100);
  const executionId = spaceOut();
  expect(await tab.does({ type: 'replay.open', executionId })).toMatchObject({ ok: true });
  await browser.clock.pass(100);
  return executionId;
}

const shownStatuses = () => replay().steps.map((place) => replay().versions[place]?.status);
const statuses = ({ run }: Pick<WorkspaceState, 'run'>) => run.steps.map(({ status }) => status);
const replay = () => {
  const { replay: state } = tab.state;
  if (!state) throw new Error('No replay');
  return state;
};

test('G7.01 a finished run is opened at its end, and a seek shows the cards and the console of that moment', async () => {
  await openReplay();
  expect(replay()).toMatchObject({ status: 'ready', event: 8, total: 8, durationMs: 7_000, isUnderWay: false });
  await tab.does({ type: 'replay.seek', to: { placeMs: 2_500 } });
  const shown = replayedStore(tab.replica).getState();
  expect(statuses(shown)).toEqual(['completed', 'pending', 'pending']);
  expect(shown.run.phase).toBe('running');
  expect(shown.run.moment).toBe(begin + 2_500);
  expect(consoleMessages(shown.console).map(({ event, text }) => event?.code ?? text)).toEqual([
    ...['Build a shop', 'run.started', 'step.started', `Result of ${shown.run.steps[0]?.name}`, 'task.completed'],
  ]);
  // What the project has is unchanged.
  expect(statuses(tab.state)).toEqual(['completed', 'completed', 'completed']);
});

test('G7.01 the page gets the replayed run by patches of the run, and the present again after the replay', async () => {
  await openReplay();
  const store = replayedStore(tab.replica);
  const parts: unknown[] = [];
  store.subscribe((state, patches) =>
    parts.push(
      patches?.map(({ path }) => path[0]),
      statuses(state),
    ),
  );
  await tab.does({ type: 'replay.seek', to: { event: 2 } });
  expect(parts[0]).toEqual(expect.arrayContaining(['run', 'console']));
  expect(parts.at(-1)).toEqual(['running', 'pending', 'pending']);
  await tab.does({ type: 'replay.close' });
  expect(parts.at(-1)).toEqual(['completed', 'completed', 'completed']);
  expect(tab.state.replay).toBeNull();
});

test('G7.02 a replay plays at its speed, forwards and backwards, and stops at the ends', async () => {
  await openReplay();
  // At the end, it begins anew.
  await tab.does({ type: 'replay.play', direction: 1, speed: 2 });
  expect(replay().playing).toMatchObject({ direction: 1, fromMs: 0 });
  await browser.clock.pass(1_000);
  expect(replay().placeMs).toBeGreaterThanOrEqual(1_900);
  expect(replay().placeMs).toBeLessThanOrEqual(2_100);
  await tab.does({ type: 'replay.play', direction: -1, speed: 1 });
  await browser.clock.pass(60_000);
  expect(replay()).toMatchObject({ event: 1, placeMs: 0, playing: null });
  await tab.does({ type: 'replay.play', direction: 1, speed: 64 });
  await browser.clock.pass(1_000);
  expect(replay()).toMatchObject({ event: 8, placeMs: 7_000, playing: null });
});

test('G7.02 each press of L or J plays faster, and the first press of the other one at once the speed', async () => {
  await openReplay();
  const press = (direction: 1 | -1) => tab.does({ type: 'replay.play', direction });
  const speeds: [number, number][] = [];
  for (const direction of [1, 1, 1, -1, -1] as const) {
    await press(direction);
    speeds.push([replay().playing?.direction ?? 0, replay().speed]);
  }
  expect(speeds).toEqual([
    ...[
      [1, 1],
      [1, 2],
      [1, 4],
    ],
    ...[
      [-1, 1],
      [-1, 2],
    ],
  ]);
});

test('G7.02 steps from event to event and from mark to mark end at the ends, however fast they are pressed', async () => {
  await openReplay();
  const step = (to: { events: 1 | -1 } | { marks: 1 | -1 }) => tab.engine.dispatch({ type: 'replay.seek', to });
  await tab.does({ type: 'replay.seek', to: { event: 0 } });
  await Promise.all([step({ events: 1 }), step({ events: 1 }), step({ events: 1 })]);
  await browser.clock.pass(20);
  expect(replay().event).toBe(3);
  await step({ marks: 1 });
  await browser.clock.pass(20);
  expect(replay().event).toBe(8);
  await Promise.all([step({ events: 1 }), step({ marks: -1 }), step({ events: -1 })]);
  await browser.clock.pass(20);
  expect(replay().event).toBe(0);
});

test('G7.02 a pause stops at the place, and cutting idle time keeps the event', async () => {
  await openReplay();
  await tab.does({ type: 'replay.play', direction: 1, speed: 1 });
  await browser.clock.pass(3_200);
  await tab.does({ type: 'replay.pause' });
  const { placeMs, event } = replay();
  await browser.clock.pass(10_000);
  expect(replay()).toMatchObject({ placeMs, event, playing: null });
  await tab.does({ type: 'replay.cutIdle', cutsIdle: true });
  expect(replay()).toMatchObject({ event, cutsIdle: true });
});

test('G7.04 a run under way can be looked back at while it goes on, and its new events are added', async () => {
  server.beginStep();
  server.finishStep('One');
  await browser.clock.pass(100);
  const executionId = spaceOut();
  await tab.does({ type: 'replay.open', executionId });
  await tab.does({ type: 'replay.seek', to: { event: 2 } });
  server.beginStep();
  await browser.clock.pass(100);
  expect(replay()).toMatchObject({ event: 2, total: 4, isUnderWay: true });
  expect(shownStatuses()).toEqual(['running', 'pending', 'pending']);
  expect(statuses(tab.state)).toEqual(['completed', 'running', 'pending']);
  // At the newest moment it follows the run.
  await tab.does({ type: 'replay.seek', to: { event: 4 } });
  server.finishStep('Two');
  server.doAll();
  await browser.clock.pass(100);
  expect(replay()).toMatchObject({ event: replay().total, isUnderWay: false });
  expect(shownStatuses()).toEqual(['completed', 'completed', 'completed']);
});

test('G7.04 without messages the new events of a run are read', async () => {
  tab = await new Tab(browser, server, 'tab-2').open({ realtime: 'off' });
  await tab.does({ type: 'replay.open', executionId: server.runs[0]?.execution.id ?? '' });
  await browser.clock.pass(100);
  const before = replay().total;
  server.listeners.clear();
  server.beginStep();
  await browser.clock.pass(6_000);
  expect(replay().total).toBe(before + 1);
});

test('G7.05 a run that cannot be read shows why, and its bar closes', async () => {
  await tab.does({ type: 'replay.open', executionId: uuid(404, 4) });
  expect(replay()).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
  expect(await tab.does({ type: 'replay.seek', to: { event: 1 } })).toMatchObject({ ok: false, error: { code: 'replay.notReady' } });
  await tab.does({ type: 'replay.close' });
  expect(tab.state.replay).toBeNull();
});

test('G7.05 a run under way that another tab removes ends its replay, and is asked for no more', async () => {
  tab = await new Tab(browser, server, 'tab-2').open({ realtime: 'off' });
  await tab.does({ type: 'replay.open', executionId: server.runs[0]?.execution.id ?? '' });
  await browser.clock.pass(100);
  server.runs.splice(0);
  await browser.clock.pass(6_000);
  expect(replay()).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
  const asked = server.calls.length;
  await browser.clock.pass(60_000);
  expect(server.calls.slice(asked).filter((call) => call === 'execution.logs')).toEqual([]);
});

test('G7.05 a message to a dialog ends the replay, and the new run is shown', async () => {
  await openReplay();
  await tab.does(send);
  expect(tab.state.replay).toBeNull();
  expect(tab.state.run.phase).not.toBe('stopped');
});

test('G7.05 a second replay takes the place of the first, also while the first is still read', async () => {
  const first = await openReplay();
  await tab.does({ type: 'replay.close' });
  await tab.does(send);
  server.doAll();
  await browser.clock.pass(100);
  const second = server.runs.at(-1)?.execution.id ?? '';
  const opening = tab.does({ type: 'replay.open', executionId: first });
  await tab.does({ type: 'replay.open', executionId: second });
  await opening;
  await browser.clock.pass(100);
  expect(replay()).toMatchObject({ executionId: second, status: 'ready' });
});

const cardsShown = () => Object.keys(replayedStore(tab.replica).getState().document.nodes);

test('G7.06 a replay draws the canvas that ran: of its team version, else of its canvas version, else as it is now', async () => {
  server.doAll();
  await browser.clock.pass(100);
  const executionId = spaceOut();
  const { execution } = server.runs.at(-1) ?? {};
  const ran = structuredClone(tab.state.document);
  const [removed = ''] = Object.values(ran.nodes).flatMap(({ id, type }) => (type === 'agent' ? [id] : []));
  const open = async () => {
    await tab.does({ type: 'replay.open', executionId });
    await browser.clock.pass(100);
  };
  const id = uuid(77, 7);
  const about = { id, number: 1, canvasVersion: 1, name: null, note: '', author: null, at: new Date(begin).toISOString(), runs: 1 };
  const settings = { parallelSteps: null, holdHandOffs: false, testCommand: null, fetchHosts: null, maxTurns: null, maxCalls: null };
  server.teams.set(id, { ...about, document: ran, agents: {}, settings });
  Object.assign(execution ?? {}, { teamVersionId: id });
  await open();
  expect(replay().document).toBeNull();
  await tab.does({ type: 'replay.close' });
  await tab.does({ type: 'selection.remove', nodeIds: [removed], connectionIds: [] });
  await open();
  expect(cardsShown()).toContain(removed);
  await tab.does({ type: 'replay.close' });
  expect(cardsShown()).not.toContain(removed);

  server.teams.clear();
  server.versions.set(900, ran);
  Object.assign(execution ?? {}, { canvasVersion: 900 });
  await open();
  expect(cardsShown()).toContain(removed);
  await tab.does({ type: 'replay.close' });
  server.versions.clear();
  await open();
  expect(replay()).toMatchObject({ status: 'ready', document: null });
  expect(cardsShown()).not.toContain(removed);
});
