import { expect, test } from 'vitest';
import { operations } from '../../../contract/operations/operations.ts';
import { ok, unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, team } from '../../support/engine/samples.ts';
import { Tab } from '../../support/engine/tab.ts';

const connection = operations['modelConnection.create'].example.response;
const params = { id: connection.id };
const use = { agentIds: [team[0]?.id ?? ''], model: 'm' };

/** A tab beside a server with connections, and how often it has read the agents since. */
async function opened() {
  const server = new FakeServer(chainDocument());
  const keys: (string | undefined)[] = [];
  server.answers = {
    'modelConnection.create': ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return ok(connection);
    },
    'modelConnection.update': () => ok(connection),
    'modelConnection.remove': () => ok(undefined),
    'modelConnection.use': () => ok({ agents: [] }),
  };
  const browser = freshBrowser();
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await browser.clock.pass(3_000);
  server.calls.length = 0;
  return { browser, server, tab, keys, readings: () => server.calls.filter((route) => route === 'agent.list').length };
}

test('M3.22 the agents are read again after a connection was changed, removed or used, and not after a preview or a refusal', async () => {
  const { server, tab, readings } = await opened();
  await tab.engine.call('modelConnection.update', { params, body: { name: 'Other' } });
  await tab.engine.call('modelConnection.remove', { params });
  await tab.engine.call('modelConnection.use', { params, body: use });
  expect(readings()).toBe(3);
  await tab.engine.call('modelConnection.use', { params, body: { ...use, isPreview: true } });
  server.faults.set('modelConnection.use', unreachable);
  expect(await tab.engine.call('modelConnection.use', { params, body: use })).toEqual({ ok: false, error: { code: 'network' } });
  expect(readings()).toBe(3);
  expect(tab.state.notices).toEqual([]);
});

test('M3.22 a connection whose answer was lost is asked for once more, with the same key', async () => {
  const { browser, server, tab, keys, readings } = await opened();
  server.lostAnswers.add('modelConnection.create');
  const made = tab.engine.call('modelConnection.create', { body: { name: 'Own', provider: 'ollama' } });
  await browser.clock.pass(500);
  server.lostAnswers.clear();
  await browser.clock.pass(1_000);
  expect(await made).toMatchObject({ ok: true, value: { id: connection.id } });
  expect(keys).toHaveLength(2);
  expect([keys[0], readings()]).toEqual([keys[1], 0]);
});
