import { beforeEach, expect, test } from 'vitest';
import type { Command, CommandState } from '../../../contract/command.ts';
import { commandPollMs } from '../../../src/workers/engine/console/command-watch.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, projectId, team, uuid } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

const [agent] = team as [(typeof team)[number]];

let browser: Browser;
let server: FakeServer;
let tab: Tab;

beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
  tab = await new Tab(browser, server).open({ realtime: 'off' });
});

const say = (text: string, agentId: string | null = agent.id) => tab.does({ type: 'console.send', text, agentId });
const polls = () => server.calls.filter((call) => call === 'command.status').length;

const earlier = (number: number, changes: Partial<Command>): Command => {
  const at = new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();
  const id = uuid(number, 7);
  return {
    ...{ id, commandId: id, agentId: agent.id, projectId, executionId: null, stepId: null, kind: 'execute', status: 'completed' },
    ...{ result: `Answer ${number}`, error: null, progress: 100, executionTimeMs: 5, provider: null, model: 'm', simulated: true },
    ...{ usage: null, attempts: 1, startedAt: at, completedAt: at, createdAt: at, updatedAt: at, timestamp: at },
    ...{ request: `Ask ${number}`, initialTask: null, task: null, parameters: {}, data: null },
    ...changes,
  };
};

test('W2.16 W3.07 the messages of the console return after a reload, in their order, with their results', async () => {
  const error = { code: 'model_timeout', message: 'No' } as Command['error'];
  server.history = [
    earlier(9, { executionId: uuid(1, 4) }),
    earlier(8, { projectId: null }),
    earlier(6, { result: ' ' }),
    earlier(5, { status: 'running', result: null, completedAt: null }),
    earlier(4, { status: 'cancelled', result: null }),
    earlier(3, { status: 'failed', result: null, error }),
    earlier(2, { kind: 'openai', parameters: { model: 'gpt-4', max_tokens: 2_000 } }),
    earlier(1, { kind: 'openai', parameters: { model: 'gpt-3.5-turbo', max_tokens: 1_000 } }),
    earlier(0, {}),
  ];
  tab.die();
  tab = await new Tab(browser, server).open({ realtime: 'off' });
  expect(tab.lines).toEqual([
    ...[
      '/command Ask 0',
      'Answer 0',
      'task.completed',
      '/ai Ask 1',
      'Answer 1',
      'task.completed',
      '/analyze',
      'Answer 2',
      'task.completed',
    ],
    ...['/command Ask 3', 'task.failed', 'console.failed', '/command Ask 4', 'task.cancelled', '/command Ask 5'],
    ...['/command Ask 6', 'agent.noResult'],
  ]);
  expect(tab.messages.at(-1)).toMatchObject({ isWarning: true, isError: false });
  expect(tab.messages[1]).toMatchObject({ agentTitle: agent.title, simulated: true, cost: { durationMs: 5, model: 'm' } });
  // The running command no longer exists on the server.
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines.at(-1)).toBe('console.commandNotFound');
  await say('/help');
  await tab.does({ type: 'workspace.reload' });
  expect(tab.lines.filter((line) => line === '/command Ask 0')).toHaveLength(1);
  expect(tab.lines.at(-1)).toBe('console.help');
});

test('W2.16 W3.07 a long result that a list cuts comes back whole after a reload, or as its beginning where the whole cannot be read', async () => {
  await say('/command Long');
  const long = server.commands[0] as CommandState;
  server.endCommand({ status: 'completed', result: 'The whole of it' }, long.id);
  server.history = [
    { ...earlier(2, {}), result: 'Of a command that is gone', resultIsCut: true },
    { ...earlier(1, {}), id: long.id, commandId: long.id, result: 'The whole', resultIsCut: true },
  ];
  tab.die();
  tab = await new Tab(browser, server).open({ realtime: 'off' });
  expect(tab.lines).toEqual([
    '/command Ask 1',
    'The whole of it',
    'task.completed',
    '/command Ask 2',
    'Of a command that is gone',
    'task.completed',
  ]);
});

test('W2.16 W2.17 a command without an answer before a reload is answered after the reload, and the tab waits for the newest command as before', async () => {
  await say('/command Slow');
  const slow = server.commands[0] as CommandState;
  const asked: CommandState = { ...slow, kind: 'openai', id: uuid(2, 7), commandId: uuid(2, 7), createdAt: '2026-11-20T12:01:00.000Z' };
  server.commands.push(asked);
  server.history = [
    { ...earlier(2, {}), ...asked },
    { ...earlier(1, {}), ...slow, request: 'Slow' },
  ];
  tab.die();
  tab = await new Tab(browser, server).open({ realtime: 'off' });
  expect(tab.lines).toEqual(['/command Slow', '/ai Ask 2']);
  expect(tab.state.commandLine.waiting).toMatchObject({ agentTitle: agent.title, name: 'ai', since: asked.createdAt });
  expect(await say('/help')).toMatchObject({ error: { code: 'console.busy' } });

  server.endCommand({ status: 'completed', result: 'Slow is done' }, slow.id);
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines.slice(2)).toEqual(['Slow is done', 'task.completed']);
  expect(tab.state.commandLine).toMatchObject({ waiting: { name: 'ai' }, status: null });

  await tab.does({ type: 'console.cancel' });
  await browser.clock.pass(frameMs);
  expect(tab.lines.at(-1)).toBe('task.cancelled');
  expect(tab.state.commandLine.waiting).toBeNull();
  const asks = polls();
  await browser.clock.pass(60_000);
  expect(polls()).toBe(asks);
});

test('W2.16 commands that cannot be read again do not keep the workspace from opening', async () => {
  server.faults.set('command.history', unreachable);
  tab.die();
  tab = await new Tab(browser, server).open({ realtime: 'off' });
  expect([tab.state.status, tab.lines]).toEqual(['ready', []]);
});

/** The time after which the page has the engine's changes (ms). */
const frameMs = 50;
