import { expect, test } from 'vitest';
import type { Canvas, CanvasNode, CanvasPatch } from '../../../contract/canvas.ts';
import { type Member, signUp } from '../../support/call-api.ts';
import { setUpServer } from '../../support/set-up/for-vitest.ts';

const server = setUpServer();
let member: Member;
const own = { params: { id: 'default' } };

async function freshCanvas(): Promise<Canvas> {
  member = await signUp(server.url);
  return member.ask('project.canvas', own);
}

const card = (id: string, title = id): CanvasNode => ({ id, type: 'start', title, x: 10.5, y: -20 });
const setCard = (id: string, title = id): CanvasPatch => ({ op: 'set', collection: 'nodes', id, value: card(id, title) });

test('W7.01 the default project is the first own one, by its id and by its alias', async () => {
  await freshCanvas();
  const [project] = await member.ask('project.list');
  expect(await member.ask('project.get', own)).toEqual(project);
  expect(await member.ask('project.get', { params: { id: project?.id ?? '' } })).toEqual(project);
});

test('R15.01 a foreign project answers exactly as a missing one, on every call', async () => {
  await freshCanvas();
  const { id: foreign } = await member.ask('project.get', own);
  const other = await signUp(server.url);
  const missing = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
  for (const [name, body] of [
    ['project.get', undefined],
    ['project.canvas', undefined],
    ['project.patchCanvas', { baseVersion: 1, patches: [] }],
    ['project.putCanvas', { baseVersion: 1, nodes: {}, connections: {} }],
  ] as const) {
    const answers = await Promise.all([foreign, missing].map((id) => other.refused(name, { params: { id }, body })));
    const [first, second] = answers.map(({ status, code, message }) => ({ status, code, message }));
    expect(first).toEqual({ status: 404, code: 'not_found', message: 'Ничего не найдено по этому адресу.' });
    expect(second).toEqual(first);
  }
});

test('R31.01 patches set and remove whole records, the last one for a record wins, and the version grows', async () => {
  const before = await freshCanvas();
  const [removed = ''] = Object.keys(before.connections);
  const saved = await member.ask('project.patchCanvas', {
    ...own,
    body: {
      baseVersion: before.version,
      patches: [
        setCard('a', 'first'),
        setCard('b'),
        setCard('a', 'Последний “a” 😀'),
        { op: 'remove', collection: 'nodes', id: 'b' },
        { op: 'remove', collection: 'connections', id: removed },
        { op: 'remove', collection: 'connections', id: 'never was' },
      ],
    },
  });
  expect(saved).toEqual({ version: before.version + 1 });
  const after = await member.ask('project.canvas', own);
  const { [removed]: _gone, ...connections } = before.connections;
  expect(after).toEqual({ version: saved.version, nodes: { ...before.nodes, a: card('a', 'Последний “a” 😀') }, connections });
});

test('R31.01 a stale save is refused with the current canvas, and changes nothing', async () => {
  const before = await freshCanvas();
  await member.ask('project.patchCanvas', { ...own, body: { baseVersion: before.version, patches: [setCard('theirs')] } });
  for (const name of ['project.patchCanvas', 'project.putCanvas'] as const) {
    const body = { baseVersion: before.version, patches: [setCard('mine')], nodes: {}, connections: {} };
    const refusal = await member.refused(name, { ...own, body });
    const current = { version: before.version + 1, nodes: { theirs: card('theirs') } };
    expect(refusal).toMatchObject({ status: 409, code: 'canvas_stale', details: { canvas: current } });
  }
  const after = await member.ask('project.canvas', own);
  expect(after.version).toBe(before.version + 1);
  expect(after.nodes).not.toHaveProperty('mine');
});

test('R19.01 R31.01 a stale save of a large canvas is refused without it: it is read by itself', async () => {
  const before = await freshCanvas();
  const patches = Array.from({ length: 1_200 }, (_, index) => setCard(`n${index}`, 'x'.repeat(200)));
  await member.ask('project.patchCanvas', { ...own, body: { baseVersion: before.version, patches } });
  const refusal = await member.refused('project.patchCanvas', { ...own, body: { baseVersion: before.version, patches: [] } });
  expect(refusal).toMatchObject({ status: 409, code: 'canvas_stale' });
  expect(refusal.details).toBeUndefined();
});

test('R31.01 exactly one of two saves on the same version is accepted', async () => {
  const before = await freshCanvas();
  const writes = Array.from({ length: 6 }, (_, index) =>
    member.send('project.patchCanvas', { ...own, body: { baseVersion: before.version, patches: [setCard(`w${index}`)] } }),
  );
  const statuses = (await Promise.all(writes)).map((response) => response.status).sort();
  expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
  const after = await member.ask('project.canvas', own);
  expect(Object.keys(after.nodes).filter((id) => /^w\d$/.test(id))).toHaveLength(1);
});

test('R31.01 a whole canvas replaces another', async () => {
  const before = await freshCanvas();
  const nodes = { one: card('one'), two: card('two') };
  const connections = { c: { id: 'c', from: { agentId: 'one', port: 'out' as const }, to: { agentId: 'two', port: 'in' as const } } };
  const { version } = await member.ask('project.putCanvas', { ...own, body: { baseVersion: before.version, nodes, connections } });
  expect(await member.ask('project.canvas', own)).toEqual({ version, nodes, connections });
});

test('R31.01 a save that was sent twice with one key is done once', async () => {
  const before = await freshCanvas();
  const sent = { ...own, body: { baseVersion: before.version, patches: [setCard('once')] }, headers: { 'idempotency-key': 'save-1' } };
  expect(await member.ask('project.patchCanvas', sent)).toEqual({ version: before.version + 1 });
  expect(await member.ask('project.patchCanvas', sent)).toEqual({ version: before.version + 1 });
  const other = { ...sent, body: { ...sent.body, patches: [setCard('another')] } };
  expect(await member.refused('project.patchCanvas', other)).toMatchObject({ status: 409, code: 'idempotency_mismatch' });
  expect((await member.ask('project.canvas', own)).version).toBe(before.version + 1);
});

test('R31.01 a record under another id than its own is refused, by its place', async () => {
  const before = await freshCanvas();
  const patches = [{ op: 'set', collection: 'nodes', id: 'a', value: card('b') }];
  const refusal = await member.refused('project.patchCanvas', { ...own, body: { baseVersion: before.version, patches } });
  expect(refusal).toMatchObject({ status: 400, errors: [{ path: 'patches.0.value.id' }] });
  const replacement = { baseVersion: before.version, nodes: { a: card('b') }, connections: {} };
  expect(await member.refused('project.putCanvas', { ...own, body: replacement })).toMatchObject({
    status: 400,
    errors: [{ path: 'nodes.a.id' }],
  });
});

test('R31.01 a link of a card to itself is refused, in the language of the caller', async () => {
  const before = await freshCanvas();
  const self = { id: 'self', from: { agentId: 'a', port: 'out' as const }, to: { agentId: 'a', port: 'in' as const } };
  const patches = [setCard('a'), { op: 'set', collection: 'connections', id: 'self', value: self }];
  for (const [name, path] of [
    ['project.patchCanvas', 'patches.1.value.to'],
    ['project.putCanvas', 'connections.self.to'],
  ] as const) {
    const body = { baseVersion: before.version, patches, nodes: { a: card('a') }, connections: { self } };
    const refusal = await member.refused(name, { ...own, body });
    expect(refusal).toMatchObject({ status: 400, errors: [{ path, message: 'Карточку нельзя связать с самой собой.' }] });
  }
});

test('R31.01 a canvas is read without links to missing cards, and without duplicates', async () => {
  const before = await freshCanvas();
  const link = (id: string, from: string, to: string): CanvasPatch => {
    const value = { id, from: { agentId: from, port: 'out' as const }, to: { agentId: to, port: 'in' as const } };
    return { op: 'set', collection: 'connections', id, value };
  };
  const links = [link('1', 'a', 'b'), link('2', 'a', 'b'), link('3', 'b', 'a'), link('4', 'a', 'gone'), link('5', 'lost', 'a')];
  const { version } = await member.ask('project.patchCanvas', { ...own, body: { baseVersion: before.version, patches: links } });
  expect((await member.ask('project.canvas', own)).connections).toEqual(before.connections);
  await member.ask('project.patchCanvas', { ...own, body: { baseVersion: version, patches: [setCard('a'), setCard('b')] } });
  const { connections } = await member.ask('project.canvas', own);
  expect(Object.keys(connections).filter((id) => !(id in before.connections))).toEqual(['1', '3']);
});

test('R31.01 text that the database cannot keep is refused, not lost or broken', async () => {
  const before = await freshCanvas();
  const refusal = await member.refused('project.patchCanvas', {
    ...own,
    body: { baseVersion: before.version, patches: [setCard('nul', 'a\u0000b')] },
  });
  expect(refusal).toMatchObject({ status: 400, code: 'bad_request' });
  expect((await member.ask('project.canvas', own)).version).toBe(before.version);
});

test('R31.01 ten thousand cards are saved and read back whole', async () => {
  const before = await freshCanvas();
  const nodes = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`n${index}`, card(`n${index}`, `Карточка ${index}`)]));
  await member.ask('project.putCanvas', { ...own, body: { baseVersion: before.version, nodes, connections: {} } });
  expect((await member.ask('project.canvas', own)).nodes).toEqual(nodes);
});

test('R31.01 tens of thousands of wrong records are refused at the first ones', async () => {
  const before = await freshCanvas();
  const good = Array.from({ length: 1_500 }, (_, index) => setCard(`g${index}`));
  const patches = [...good, ...Array.from({ length: 50_000 }, () => ({}))];
  const refusal = await member.refused('project.patchCanvas', { ...own, body: { baseVersion: before.version, patches } });
  expect(refusal).toMatchObject({ status: 400, errors: expect.arrayContaining([{ path: 'patches.1500', message: expect.any(String) }]) });
  expect(refusal.errors).toHaveLength(50);

  const nodes = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`n${index}`, {}]));
  const replacement = { baseVersion: before.version, nodes, connections: {} };
  const wrong = await member.refused('project.putCanvas', { ...own, body: replacement });
  expect(wrong.errors?.[0]?.path).toBe('nodes.n0.id');
  expect((await member.ask('project.canvas', own)).version).toBe(before.version);
});

test('R31.01 the other tabs of the account hear of a newer version, and who wrote it', async () => {
  const before = await freshCanvas();
  const { id } = await member.ask('project.get', own);
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/natsws?token=${member.accessToken}`);
  const heard = new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('the socket failed'));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'canvas_updated') resolve(message);
    };
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  await member.ask('project.patchCanvas', {
    ...own,
    body: { baseVersion: before.version, patches: [setCard('seen')] },
    headers: { 'x-client-id': 'tab-7' },
  });
  expect(await heard).toEqual({ type: 'canvas_updated', projectId: id, version: before.version + 1, origin: 'tab-7' });
  socket.close();
});
