import { beforeEach, expect, test } from 'vitest';
import { commandPollMs, maxPollsBeforeLate } from '../../../src/workers/engine/console/command-watch.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, projectId, team } from '../../support/engine/samples.ts';
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

test('W2.15 empty text does nothing and says nothing', async () => {
  expect(await say('   ')).toEqual({ ok: false, error: { code: 'console.empty' } });
  expect([tab.lines, tab.state.notices]).toEqual([[], []]);
});

test('W2.15 nothing is accepted while the team is at work, and it is again once the run pauses', async () => {
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  expect(await say('/help')).toMatchObject({ ok: false, error: { code: 'console.disabled' } });
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(5_000);
  expect(await say('/help')).toMatchObject({ ok: true });
});

test('W2.16 a command needs an active agent, help needs none, and an unknown command is reported', async () => {
  for (const command of ['/command x', '/thought x', '/ai x', '/analyze', '/agent-stats', '/pipeline-info', '/project-stats']) {
    expect(await say(command, null)).toEqual({ ok: false, error: { code: 'console.noAgent' } });
  }
  expect(tab.state.commandLine.status).toEqual({ code: 'console.status.noAgent' });
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['console.noAgent']);
  expect(await say('/command x', 'missing')).toMatchObject({ error: { code: 'agent.notFound' } });
  expect(await say('/ai')).toMatchObject({ error: { code: 'console.textMissing', params: { command: '/ai' } } });
  await say('/help', null);
  await say('dance', null);
  expect(tab.lines).toEqual(['/help', 'console.help', 'dance', 'console.unknown']);
});

test('W2.16 W2.17 W9.03 /command is sent, polled every 5 s, and its answer is a message of the agent', async () => {
  await say('/command Write the tests');
  expect(server.requests).toMatchObject([{ agentId: agent.id, request: 'Write the tests', projectId }]);
  expect(tab.state.commandLine.waiting).toMatchObject({ agentTitle: agent.title, name: 'command', cancelling: false });
  expect(await say('/help')).toMatchObject({ error: { code: 'console.busy' } });

  await browser.clock.pass(4 * commandPollMs);
  expect([commandPollMs, polls()]).toEqual([5_000, 4]);
  server.endCommand({
    status: 'completed',
    result: 'Tests are written',
    simulated: true,
    model: 'm',
    executionTimeMs: 900,
    usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  });
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines).toEqual(['/command Write the tests', 'Tests are written', 'task.completed']);
  expect(tab.messages[1]).toMatchObject({
    isAI: true,
    agentTitle: agent.title,
    simulated: true,
    cost: { totalTokens: 3, durationMs: 900, model: 'm' },
  });
  expect(tab.state.commandLine).toEqual({ waiting: null, status: { code: 'console.status.command' } });
  await browser.clock.pass(60_000);
  expect(polls()).toBe(5);
});

test('W2.16 with a socket the answer is shown as soon as the server sends the event', async () => {
  const live = await new Tab(browser, server, 'tab-2').open();
  await browser.clock.pass(2_000);
  await live.does({ type: 'console.send', text: '/command Now', agentId: agent.id });
  server.endCommand({ status: 'completed', result: 'Done' });
  await browser.clock.pass(frameMs);
  expect(live.lines).toEqual(['/command Now', 'Done', 'task.completed']);
});

test('W2.16 a result that is heard while the command is being read is shown at once, not at the next poll', async () => {
  const live = await new Tab(browser, server, 'tab-2').open();
  await browser.clock.pass(2_000);
  await live.does({ type: 'console.send', text: '/command Now', agentId: agent.id });
  const release = server.hold('command.status');
  await browser.clock.pass(commandPollMs);
  server.endCommand({ status: 'completed', result: 'Done' });
  release();
  await browser.clock.pass(frameMs);
  expect(live.lines).toEqual(['/command Now', 'Done', 'task.completed']);
});

test('W2.16 a result that is heard before the id of the command is known is shown at once', async () => {
  const live = await new Tab(browser, server, 'tab-2').open();
  await browser.clock.pass(2_000);
  const release = server.hold('command.executeAsync');
  await live.does({ type: 'console.send', text: '/command Quick', agentId: agent.id });
  server.endCommand({ status: 'completed', result: 'Done' });
  release();
  await browser.clock.pass(frameMs);
  expect(live.lines).toEqual(['/command Quick', 'Done', 'task.completed']);
});

test('W9.03 W8.02 a late command is reported once, after 300 s, and is still polled', async () => {
  await say('/command Think long');
  await browser.clock.pass(maxPollsBeforeLate * commandPollMs * 2);
  expect(maxPollsBeforeLate * commandPollMs).toBe(300_000);
  expect(tab.lines).toEqual(['/command Think long', 'console.timedOut']);
  server.endCommand({ status: 'completed', result: 'At last' });
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines.slice(2)).toEqual(['At last', 'task.completed']);
});

test('W8.02 a failed command shows the reason; one that is not found or invalid is no longer polled; others are polled again', async () => {
  await say('/command One');
  server.endCommand({ status: 'failed', error: { code: 'model_timeout', message: 'late' } });
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines).toEqual(['/command One', 'task.failed', 'console.failed']);
  expect(tab.messages.at(-1)?.event?.params).toMatchObject({ cause: 'model_timeout', error: 'late' });

  const refusal = (status: number, message: string) =>
    ({ kind: 'refused', problem: { code: 'bad_request', params: { message } }, status, retryAfterMs: null }) as const;
  for (const [fault, code] of [
    [refusal(400, 'HTTP 400: Bad Request'), 'console.commandNotFound'],
    [refusal(422, 'Validation errors: agentId'), 'console.validationError'],
  ] as const) {
    await say('/command Two');
    server.faults.set('command.status', fault);
    await browser.clock.pass(commandPollMs + frameMs);
    expect([tab.lines.at(-1), tab.state.commandLine.waiting]).toEqual([code, null]);
    server.faults.clear();
  }

  await say('/command Three');
  server.faults.set('command.status', unreachable);
  await browser.clock.pass(4 * commandPollMs);
  server.faults.clear();
  server.endCommand({ status: 'completed', result: 'Three is done' });
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines.slice(-4)).toEqual(['/command Three', 'console.waitFailed', 'Three is done', 'task.completed']);
});

test('W8.03 an agent whose answer is empty or no text is skipped, and the console says why', async () => {
  await say('/command Nothing');
  server.endCommand({ status: 'completed', result: '  ' });
  await browser.clock.pass(commandPollMs + frameMs);
  expect([tab.lines.at(-1), tab.state.commandLine.waiting]).toEqual(['agent.noResult', null]);

  const odd = (field: string) =>
    ({ kind: 'unreachable', problem: { code: 'bad_answer', params: { field } }, status: 200, retryAfterMs: null }) as const;
  await say('/command Odd');
  server.faults.set('command.status', odd('result'));
  await browser.clock.pass(commandPollMs + frameMs);
  expect([tab.lines.at(-1), tab.state.commandLine.waiting]).toEqual(['agent.unexpectedResult', null]);
  server.faults.clear();
  server.faults.set('command.openai', odd('choices'));
  await tab.doesIn(3_000, { type: 'console.send', text: '/ai Odd', agentId: agent.id });
  expect(tab.lines.at(-1)).toBe('agent.unexpectedResult');
  const skipped = tab.messages.filter(({ event }) => event?.code.startsWith('agent.'));
  expect(skipped.map(({ isWarning, isError }) => [isWarning, isError])).toEqual(Array(3).fill([true, false]));
});

test('W8.03 a command that the server refuses is reported as not executed, with the reason', async () => {
  server.faults.set('command.executeAsync', { kind: 'refused', problem: { code: 'too_large' }, status: 413, retryAfterMs: null });
  await say('/command Too long');
  expect(tab.messages.at(-1)?.event).toEqual({ code: 'console.notExecuted', params: { agent: agent.title, cause: 'too_large' } });
});

test('W5.06 W8.03 the newest command of the agent counts where no id is given; an agent without commands or without an id is skipped', async () => {
  const unreadable = { kind: 'refused', problem: { code: 'bad_answer' }, status: 200, retryAfterMs: null } as const;
  const looks = () => server.calls.filter((call) => call === 'command.history').length;
  const before = looks();
  server.faults.set('command.executeAsync', unreadable);
  await say('/command Lost');
  expect(tab.lines).toEqual(['/command Lost', 'agent.noCommandId']);
  expect(tab.messages.at(-1)).toMatchObject({ isWarning: true, isError: false });
  server.faults.set('command.executeAsync', { ...unreadable, problem: { code: 'bad_answer', params: { field: 'id' } } });
  await say('/command Odd');
  expect(tab.lines.slice(2)).toEqual(['/command Odd', 'agent.invalidCommandId', 'console.invalidId']);
  expect(looks() - before).toBe(1);
  server.faults.clear();
  await say('/command First');
  server.endCommand({ status: 'completed', result: 'First is done' });
  await browser.clock.pass(commandPollMs + frameMs);
  server.faults.set('command.executeAsync', unreadable);
  await say('/command Second');
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines.slice(-2)).toEqual(['First is done', 'task.completed']);
  Object.assign(server.commands.at(-1) ?? {}, { id: '[object Object]' });
  await say('/command Third');
  expect(tab.lines.slice(-3)).toEqual(['/command Third', 'agent.invalidCommandId', 'console.invalidId']);
});

test('W2.16 W9.02 /ai and /analyze ask a model as they are told to', async () => {
  await say('/ai Why?');
  await say('/analyze');
  expect(server.chats).toMatchObject([
    { model: 'gpt-3.5-turbo', max_tokens: 1_000, temperature: 0.7, messages: [{ role: 'user', content: 'Why?' }] },
    { model: 'gpt-4', max_tokens: 2_000, temperature: 0.3, messages: [{ role: 'system' }, { role: 'user' }] },
  ]);
  expect(server.chats[1]?.messages[1]?.content).toContain(team[0]?.title);
  expect(tab.lines.slice(0, 3)).toEqual(['/ai Why?', 'Answer to Why?', 'task.completed']);
  expect(tab.messages[1]?.cost).toMatchObject({ totalTokens: 7, model: 'gpt-3.5-turbo' });
  expect(tab.state.commandLine.status).toEqual({ code: 'console.status.ai' });
});

test('W2.16 an answer of a model that takes long is followed, and can be cancelled before its id is known', async () => {
  server.slowToTalk = true;
  await say('/ai Why?');
  server.endCommand({ status: 'completed', result: 'Because' });
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines.slice(-2)).toEqual(['Because', 'task.completed']);

  const release = server.hold('command.openai');
  await say('/ai Again?');
  await tab.does({ type: 'console.cancel' });
  expect(server.commands.at(-1)?.status).toBe('cancelled');
  release();
  await browser.clock.pass(commandPollMs + frameMs);
  expect(tab.lines.at(-1)).toBe('task.cancelled');
  expect(tab.state.commandLine.waiting).toBeNull();
});

test('W2.16 a command that is waited for can be cancelled', async () => {
  await say('/command Endless');
  await tab.does({ type: 'console.cancel' });
  await browser.clock.pass(frameMs);
  expect(tab.lines).toEqual(['/command Endless', 'task.cancelled']);
  expect(await tab.does({ type: 'console.cancel' })).toMatchObject({ ok: true });
});

test('W2.16 cancelling a conversation before its id is known cancels the conversation of this tab, not a newer one of another tab', async () => {
  const other = await new Tab(browser, server, 'tab-2').open({ realtime: 'off' });
  const release = server.hold('command.openai');
  await say('/ai The same question');
  await other.does({ type: 'console.send', text: '/ai The same question', agentId: agent.id });
  expect(await tab.does({ type: 'console.cancel' })).toMatchObject({ ok: true });
  expect(server.commands.map(({ status }) => status)).toEqual(['cancelled', 'running']);
  release();
});

test('W2.16 a command that the server does not have cannot be cancelled, and no command of another tab is cancelled instead', async () => {
  const other = await new Tab(browser, server, 'tab-2').open({ realtime: 'off' });
  await other.does({ type: 'console.send', text: '/command Theirs', agentId: agent.id });
  const release = server.hold('thought.publish');
  await say('/thought Mine');
  expect(await tab.does({ type: 'console.cancel' })).toMatchObject({ ok: false, error: { code: 'console.notCancelled' } });
  expect(server.commands.map(({ status }) => status)).toEqual(['running']);
  expect(tab.state.commandLine.waiting).toMatchObject({ name: 'thought', cancelling: false });
  release();
});

test('W2.16 a command that is cancelled while it is being given is cancelled once its id is known', async () => {
  const other = await new Tab(browser, server, 'tab-2').open({ realtime: 'off' });
  const release = server.hold('command.executeAsync');
  await say('/command Mine');
  await other.does({ type: 'console.send', text: '/command Theirs', agentId: agent.id });
  const cancelled = tab.engine.dispatch({ type: 'console.cancel' });
  await browser.clock.pass(frameMs);
  expect(tab.state.commandLine.waiting).toMatchObject({ cancelling: true });
  release();
  expect((await cancelled).outcome).toMatchObject({ ok: true });
  expect(server.commands.map(({ status }) => status)).toEqual(['cancelled', 'running']);
});

test('W2.16 W2.17 thoughts are published, and figures are read from the server', async () => {
  await say('/thought It is simple');
  expect(server.thoughts).toEqual([{ agentId: agent.id, content: 'It is simple', projectId }]);
  expect(tab.state.commandLine.status).toEqual({ code: 'console.status.thought' });
  await say('/agent-stats');
  await say('/project-stats');
  expect(await say('/pipeline-info')).toEqual({ ok: false, error: { code: 'console.noPipeline' } });
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['console.noPipeline']);
  expect(tab.lines.filter((line) => line.startsWith('console.'))).toEqual([
    'console.thought',
    'console.agentStats',
    'console.projectStats',
  ]);
  const [, stats] = tab.messages.filter(({ event }) => event !== null);
  expect(stats?.event?.details).toContainEqual({ code: 'console.stats.commands', params: { total: 5, successful: 4, failed: 1 } });
});

test('W2.16 where commands cannot run the console explains them', async () => {
  await tab.does({ type: 'console.announce', name: 'ai' });
  expect(tab.lines).toEqual(['console.announce.ai']);
});

/** The time after which the page has the engine's changes (ms). */
const frameMs = 50;
