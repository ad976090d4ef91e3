import { beforeEach, expect, test } from 'vitest';
import { storageStateOf } from '../../../contract/storage.ts';
import { lookEveryMs } from '../../../src/workers/engine/storage/watch-storage.ts';
import { ok } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

const mebibyte = 1024 * 1024;
let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

function store(mebibytes: number): void {
  const [usedBytes, limitBytes] = [mebibytes * mebibyte, 100 * mebibyte];
  server.storage = { ...server.storage, usedBytes, limitBytes, state: storageStateOf(usedBytes, limitBytes) };
}
const warnings = (tab: Tab) => tab.state.notices.map(({ code, level, until, params }) => ({ code, level, until, params }));
const looks = () => server.calls.filter((name) => name === 'storage.get').length;
async function runOnce(tab: Tab): Promise<void> {
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  server.doAll();
  await browser.clock.pass(10_000);
}
const near = { code: 'storage.near', level: 'warning', until: null, params: { used: 80, limit: 100 } };

test('G8.60 the account is calm below 80 % of its limit, near from there, and full at it; without a limit it is calm', () => {
  const states = [0, 79, 80, 99, 100, 120].map((used) => storageStateOf(used, 100));
  expect(states).toEqual(['calm', 'calm', 'near', 'near', 'full', 'full']);
  expect(storageStateOf(10 ** 15, null)).toBe('calm');
});

test('G8.60 the workspace warns of an account that is almost full until the warning is closed, and of a full one again', async () => {
  store(80);
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(100);
  expect(warnings(tab)).toEqual([near]);
  await tab.does({ type: 'notice.dismiss', id: tab.state.notices[0]?.id ?? '' });
  await browser.clock.pass(lookEveryMs);
  await runOnce(tab);
  expect([looks(), warnings(tab)]).toEqual([2, []]);
  store(100);
  await browser.clock.pass(lookEveryMs);
  await runOnce(tab);
  expect(warnings(tab)).toMatchObject([{ code: 'storage.full', level: 'error' }]);
});

test('G8.60 what the account stores is read at the opening and after runs, once in ten minutes at most', async () => {
  const tab = await new Tab(browser, server).open();
  for (let run = 0; run < 5; run += 1) await runOnce(tab);
  await browser.clock.pass(lookEveryMs);
  expect([looks(), warnings(tab)]).toEqual([1, []]);
});

test('G8.60 the warning goes once old runs were removed', async () => {
  store(80);
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(100);
  expect(warnings(tab)).toEqual([near]);
  const left = [3, 0];
  server.answers = { 'storage.free': () => ok({ removed: left.shift() ?? 0 }) };
  const other = await new Tab(freshBrowser(), server).open();
  await browser.clock.pass(100);
  store(20);
  await other.does({ type: 'storage.free', kind: 'runs', olderThanDays: 30 });
  await browser.clock.pass(100);
  expect(warnings(other)).toEqual([]);
});
