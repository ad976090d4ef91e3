import { describe, expect, test } from 'vitest';
import { type BusStatus, type Subscription, type Thought, type ThoughtTest, thought } from '../../../contract/executions/thought.ts';
import { followEvents } from '../../support/follow-events.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpServer } from '../../support/set-up/for-vitest.ts';
import { natsUrl } from '../../support/test-services.ts';

const server = setUpServer();
const ann = setUpAccount(server);
const bob = setUpAccount(server);

const publish = (agent: string, content: string, more: object = {}) =>
  ann.call<Thought>('POST', '/agentthought/publish', { agentId: ann.agent(agent).id, content, ...more });
const listed = async (path: string, by = ann) =>
  (await by.call<Thought[]>('GET', `/agentthought/${path}`)).body.map(({ content }) => content);

describe('thoughts', () => {
  test('W7.04 thoughts are stored and listed newest first: of an agent, in a project, of a user, all', async () => {
    const first = await publish('qa', '  One  ');
    expect(first).toMatchObject({ status: 201, body: { content: 'One', projectId: null, executionId: null, stepId: null } });
    expect(thought.parse(first.body)).toEqual(first.body);
    const second = await publish('developer', 'Two', { projectId: 'default' });
    await publish('qa', 'Three', { projectId: second.body.projectId });
    expect(await listed(`agent/${ann.agent('qa').id}`)).toEqual(['Three', 'One']);
    expect(await listed('project/default')).toEqual(['Three', 'Two']);
    expect(await listed(`project/${second.body.projectId}`)).toEqual(['Three', 'Two']);
    for (const path of [`user/${ann.userId}`, 'global']) expect(await listed(path)).toEqual(['Three', 'Two', 'One']);
    expect(await listed('global', bob)).toEqual([]);
  });

  test('W7.04 come fifty at a time from the newest on unless asked otherwise', async () => {
    const cleo = await signUp(server.url);
    const agentId = cleo.agent('qa').id;
    for (let number = 1; number <= 52; number += 1) {
      await cleo.call('POST', '/agentthought/publish', { agentId, content: `Thought ${number}` });
    }
    const page = await cleo.call<Thought[]>('GET', '/agentthought/global');
    expect(page.body).toHaveLength(50);
    expect(page.headers.get('x-total-count')).toBe('52');
    expect(page.body[0]?.content).toBe('Thought 52');
    expect(await listed('global?offset=50', cleo)).toEqual(['Thought 2', 'Thought 1']);
    expect(await listed(`agent/${agentId}?limit=1&offset=1`, cleo)).toEqual(['Thought 51']);
    expect((await cleo.call('GET', '/agentthought/global?limit=201')).status).toBe(400);
  });

  test('W7.04 thoughts are refused when they are empty, or not of the caller’s own agent and project', async () => {
    expect((await publish('qa', ' ')).status).toBe(400);
    expect((await publish('qa', 'x'.repeat(100_001))).status).toBe(400);
    expect((await bob.call('POST', '/agentthought/publish', { agentId: ann.agent('qa').id, content: 'Mine' })).status).toBe(404);
    expect((await publish('qa', 'There', { projectId: bob.userId })).status).toBe(404);
    expect((await bob.call('GET', `/agentthought/user/${ann.userId}`)).status).toBe(404);
    expect((await bob.call('GET', `/agentthought/agent/${ann.agent('qa').id}`)).status).toBe(404);
  });

  test('W7.04 thoughts are sent on the socket once they are stored', async () => {
    const socket = await ann.socket();
    const { body } = await publish('analyst', 'Heard');
    const told = await socket.until(({ type, thoughtId }) => type === 'agent_thought' && thoughtId === body.id);
    expect(told).toMatchObject({ content: 'Heard', partial: false, agentId: body.agentId });
    await socket.close();
  });
});

const mode = natsUrl === null ? 'embedded' : 'nats';

describe('the bus', () => {
  test('R22.01 the bus status says which bus runs and whether it is connected', async () => {
    const { body } = await ann.call<BusStatus>('GET', '/agentthought/nats-status');
    expect(body).toEqual({ mode, connected: true, subject: `artel.user.${ann.userId}`, webSocket: '/api/natsws' });
  });

  test('R22.01 the bus is tested with a thought that comes back and is not stored', async () => {
    const before = await listed('global');
    const socket = await ann.socket();
    const { status, body } = await ann.call<ThoughtTest>('POST', `/agentthought/test/${ann.agent('qa').id}`);
    expect([status, body]).toEqual([
      200,
      {
        ...{ published: true, received: true, roundTripMs: expect.any(Number), subject: `artel.user.${ann.userId}` },
        bus: { mode, connected: true },
      },
    ]);
    await socket.until(({ type, content }) => type === 'agent_thought' && content.startsWith('A test of the bus'));
    await socket.close();
    expect(await listed('global')).toEqual(before);
    expect((await bob.call('POST', `/agentthought/test/${ann.agent('qa').id}`)).status).toBe(404);
  });
});

describe('listening', () => {
  test('W7.04 a caller without events in the response gets the address of the stream', async () => {
    const subject = `artel.user.${ann.userId}`;
    for (const path of [
      `subscribe/${ann.agent('qa').id}`,
      'subscribe/project/default',
      `subscribe/user/${ann.userId}`,
      'subscribe/global',
    ]) {
      const { status, body } = await ann.call<Subscription>('GET', `/agentthought/${path}`);
      expect([status, body]).toEqual([200, { subject, webSocket: '/api/natsws', events: `/api/agentthought/${path}` }]);
    }
    for (const path of [`subscribe/${ann.agent('qa').id}`, `subscribe/user/${ann.userId}`]) {
      expect((await bob.call('GET', `/agentthought/${path}`)).status).toBe(404);
    }
  });

  test('W7.04 events bring the thoughts as they come, of an agent, in a project, of all', async () => {
    const [ofQa, inProject, all] = await Promise.all(
      [`${ann.agent('qa').id}`, 'project/default', 'global'].map((what) => followEvents(ann, `/agentthought/subscribe/${what}`)),
    );
    expect(all?.headers.get('content-type')).toMatch('text/event-stream');
    const one = await publish('qa', 'Of QA');
    const two = await publish('developer', 'Of the developer', { projectId: 'default' });
    const three = await publish('qa', 'Of QA in the project', { projectId: 'default' });
    const heard = async (stream: typeof all, last: Thought) => {
      await stream?.until(({ id }) => id === last.id);
      return stream?.events.map(({ id }) => id);
    };
    expect(await heard(ofQa, three.body)).toEqual([one.body.id, three.body.id]);
    expect(await heard(inProject, three.body)).toEqual([two.body.id, three.body.id]);
    expect(await heard(all, three.body)).toEqual([one.body.id, two.body.id, three.body.id]);
    expect(all?.events[0]).toMatchObject({ event: 'agent_thought', data: { content: 'Of QA', partial: false } });
    for (const stream of [ofQa, inProject, all]) stream?.close();
  });

  test('W7.04 a client that reconnects sends its last id and misses nothing', async () => {
    const last = await publish('qa', 'Heard');
    const missed = [await publish('qa', 'Missed 1'), await publish('developer', 'Missed 2')];
    const stream = await followEvents(ann, '/agentthought/subscribe/global', { 'last-event-id': last.body.id });
    const live = await publish('qa', 'Live');
    await stream.until(({ id }) => id === live.body.id);
    expect(stream.events.map(({ id }) => id)).toEqual([...missed, live].map(({ body }) => body.id));
    stream.close();
    const stranger = await followEvents(bob, '/agentthought/subscribe/global', { 'last-event-id': last.body.id });
    const own = await bob.call<Thought>('POST', '/agentthought/publish', { agentId: bob.agent('qa').id, content: 'Own' });
    await stranger.until(({ id }) => id === own.body.id);
    expect(stranger.events.map(({ id }) => id)).toEqual([own.body.id]);
    stranger.close();
  });

  test('R46.01 events also bring the text of a run while it grows, without an id', async () => {
    const stream = await followEvents(ann, `/agentthought/subscribe/${ann.agent('assistant').id}`);
    const run = await ann.start(await ann.pipeline('assistant'), 'Think aloud');
    const partial = await stream.until(({ data }) => data.partial === true);
    expect(partial).toMatchObject({ id: null, data: { executionId: run.id } });
    stream.close();
  });

  test('W7.04 listening ends with the session, and needs a session', async () => {
    const dora = await signUp(server.url);
    const stream = await followEvents(dora, '/agentthought/subscribe/global');
    await dora.call('POST', '/auth/logout', { refreshToken: dora.refreshToken });
    await stream.ended;
    const headers = { accept: 'text/event-stream' };
    expect((await fetch(`${server.url}/api/agentthought/subscribe/global`, { headers })).status).toBe(401);
  });
});
