import { beforeEach, expect, test } from 'vitest';
import type { Command } from '../../../../src/model/commands.ts';
import { unreachable } from '../../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { chainDocument } from '../../../support/engine/samples.ts';
import { Tab } from '../../../support/engine/tab.ts';

let server: FakeServer;
let tab: Tab;

beforeEach(async () => {
  server = new FakeServer(chainDocument());
  tab = await new Tab(freshBrowser(), server).open();
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
});

const status = () => server.runs[0]?.execution.status;
const chooseNone = () =>
  tab.does({ type: 'run.chooseTried', executionId: null, others: [server.runs[0]?.execution.id ?? '', 'removed-meanwhile'] });

test('G5.07 without a choice all runs with which a step was tried are stopped, also when one was removed meanwhile', async () => {
  expect(await chooseNone()).toMatchObject({ ok: true });
  expect(status()).toBe('cancelled');
});

test('G5.07 a server out of reach stops no tried run, and the page shows the error', async () => {
  server.faults.set('execution.stop', unreachable);
  expect(await chooseNone()).toMatchObject({ ok: false });
  expect(status()).toBe('running');
  server.faults.delete('execution.stop');
  expect(await chooseNone()).toMatchObject({ ok: true });
});

test('G5.07 a chosen run that was stopped meanwhile says so, and leaves the others', async () => {
  await tab.does({ type: 'run.stop' });
  const stopped = server.runs[0]?.execution.id ?? '';
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build another' });
  const other = server.runs[1]?.execution;
  const outcome = await tab.does({ type: 'run.chooseTried', executionId: stopped, others: [other?.id ?? ''] });
  expect(outcome).toEqual({ ok: false, error: { code: 'run.trialStopped' } });
  expect(other?.status).toBe('running');
});

test('G5.07 a choice that failed for want of a connection succeeds when it is made again: the chosen run goes on, the others are stopped', async () => {
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'And more' });
  const chosen = server.runs[0]?.execution;
  const choose: Command = { type: 'run.chooseTried', executionId: chosen?.id ?? '', others: ['removed-meanwhile'] };
  server.faults.set('execution.stop', unreachable);
  expect(await tab.does(choose)).toMatchObject({ ok: false });
  server.faults.delete('execution.stop');
  expect(await tab.does(choose)).toMatchObject({ ok: true });
  expect(chosen?.status).toBe('running');
});
