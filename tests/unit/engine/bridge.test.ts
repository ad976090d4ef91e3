import { expose } from 'comlink';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WorkspaceState } from '../../../src/model/workspace-state.ts';
import { deadAfterMs, pingEveryMs, silentAfterMs } from '../../../src/workers/bridge/watch-engine.ts';
import { createWorkspaceBridge, type WorkspaceBridge } from '../../../src/workers/bridge/workspace-bridge.ts';
import { createEngine } from '../../../src/workers/engine/create-engine.ts';
import { agentAt } from '../../support/canvas/canvas-driver.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { chainDocument } from '../../support/engine/samples.ts';
import { session } from '../../support/engine/tab.ts';

/** An engine at the other end of a message channel, as in a worker; with `fails`, a worker whose script cannot be loaded. */
class ChannelWorker {
  onerror: ((event: { preventDefault(): void }) => void) | null = null;
  onmessageerror: (() => void) | null = null;
  readonly #channel = new MessageChannel();
  terminated = false;
  deaf = false;
  /** The commands that it still takes before it is deaf. */
  hears = Number.POSITIVE_INFINITY;

  constructor(fails = false) {
    if (fails) {
      // A worker fails after its creation, as in a browser.
      setTimeout(() => this.crash(), 1);
      return;
    }
    const engine = createEngine({
      environment: {
        now: () => Date.now(),
        newId: () => {
          made += 1;
          return `id-${made}`;
        },
        later: (ms, task) => {
          const timer = setTimeout(task, ms);
          return () => clearTimeout(timer);
        },
        warn: () => {},
        openSocket: () => {
          throw new Error('No sockets here');
        },
        onOnline: () => () => {},
        openJournals: () => Promise.reject(new Error('denied')),
        locks: { hold: async () => () => {}, openTabs: async () => null },
      },
      createBackend: ({ clientId }) => {
        if (server === null) throw new Error('No server here');
        return server.backend(clientId);
      },
    });
    expose(engine, this.#channel.port2);
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    if ((message as { path?: string[] }).path?.[0] === 'dispatch') this.deaf ||= this.hears-- <= 0;
    if (!this.deaf) this.#channel.port1.postMessage(message, transfer);
  }

  addEventListener(type: string, listener: EventListener): void {
    this.#channel.port1.addEventListener(type, listener);
    this.#channel.port1.start();
  }

  removeEventListener(type: string, listener: EventListener): void {
    this.#channel.port1.removeEventListener(type, listener);
  }

  crash(): void {
    this.onerror?.({ preventDefault() {} });
  }

  terminate(): void {
    this.terminated = true;
    this.#channel.port1.close();
    this.#channel.port2.close();
  }
}

/** Ids of all engines together: each of an engine is a new one. */
let made = 0;
let workers: ChannelWorker[] = [];
let server: FakeServer | null = null;
let bridge: WorkspaceBridge;
let broken = false;
let loading = false;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.stubGlobal('document', { visibilityState: 'visible' });
  workers = [];
  server = null;
  broken = false;
  loading = false;
  bridge = createWorkspaceBridge({
    source: { kind: 'local', document: chainDocument() },
    tabId: 'tab',
    startWorker: () => {
      const worker = new ChannelWorker(broken);
      worker.deaf = loading;
      workers.push(worker);
      return worker as unknown as Worker;
    },
  });
});

afterEach(async () => {
  const closing = bridge.close();
  await settle();
  await closing;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const worker of workers) worker.terminate();
});

/** Lets messages arrive and short timers run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(5);
  }
}

const state = (): WorkspaceState => bridge.store.getState();
const move = (x: number) => bridge.dispatch({ type: 'node.move', moves: [{ id: 'a', x, y: 0 }] });

test('R31.01 when a command is answered the replica already shows it', async () => {
  await settle();
  expect(state()).toMatchObject({ status: 'ready', document: chainDocument() });
  const answers = [move(1), move(2), move(3)];
  const shown = Promise.all(answers.map(async (answer, index) => [(await answer).ok, (state().document.nodes.a?.x ?? 0) >= index + 1]));
  await settle();
  expect(await shown).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ]);
});

test('R31.01 a document that replaces another document arrives as it was sent, and edits continue from the new document', async () => {
  await settle();
  const sent = { nodes: { z: agentAt('z', -40, 20), y: { ...agentAt('y', 300, 0), title: 'Имя "в кавычках"' } }, connections: {} };
  void bridge.loadDocument(sent);
  await settle();
  expect(bridge.store.getState().document).toEqual(sent);
  const moved = bridge.dispatch({ type: 'node.move', moves: [{ id: 'z', x: 60, y: 40 }] });
  await settle();
  expect((await moved).ok).toBe(true);
  expect(bridge.store.getState().document.nodes).toMatchObject({ z: { x: 60, y: 40 }, y: { x: 300 } });
  expect(sent.nodes.z.x).toBe(-40);
});

test('R31.01 a worker that crashes is replaced, with the document that the page last saw', async () => {
  await settle();
  const moved = move(42);
  await settle();
  await moved;
  workers[0]?.crash();
  await settle();
  expect(workers).toHaveLength(2);
  expect(workers[0]?.terminated).toBe(true);
  expect(state().document.nodes.a?.x).toBe(42);
  const again = move(43);
  await settle();
  expect(await again).toEqual({ ok: true, value: undefined });
  expect(state().document.nodes.a?.x).toBe(43);
});

test('R31.01 a worker that no longer answers is replaced; the edits that it was sent are made by the next one, and other calls are refused', async () => {
  await settle();
  const worker = workers[0] as ChannelWorker;
  worker.deaf = true;
  const edits = [move(7), move(8), bridge.dispatch({ type: 'selection.remove', nodeIds: ['b'], connectionIds: [] })];
  const refused = bridge.dispatch({ type: 'run.start' });
  await vi.advanceTimersByTimeAsync(21_000);
  await settle();
  expect((await Promise.all(edits)).map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(await refused).toEqual({ ok: false, error: { code: 'engine.restarted' } });
  expect(workers).toHaveLength(2);
  expect(state()).toMatchObject({ status: 'ready', document: { nodes: { a: { x: 8 } } } });
  expect(state().document.nodes).not.toHaveProperty('b');
});

test('R31.01 edits behind one that a dying engine has still made are made by the next one, each once', async () => {
  await settle();
  const worker = workers[0] as ChannelWorker;
  worker.hears = 1;
  const [count, first] = [() => Object.keys(state().document.nodes).length, Object.keys(state().document.nodes).length];
  const add = (x: number) => bridge.dispatch({ type: 'nodes.duplicate', nodeIds: ['a'], dx: x, dy: 0 });
  const edits = [add(100), add(200), add(300)];
  await settle();
  expect(count()).toBe(first + 1);
  worker.crash();
  await settle();
  expect((await Promise.all(edits)).map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(count()).toBe(first + 3);
});

test('R31.01 an edit that is sent to the next engine waits until that has opened the workspace from the server', async () => {
  const opened = bridge.close();
  await settle();
  await opened;
  server = new FakeServer(chainDocument());
  bridge = createWorkspaceBridge({
    source: { kind: 'server', projectId: 'default', session, language: 'en', realtime: 'off' },
    tabId: 'tab',
    startWorker: () => {
      const worker = new ChannelWorker();
      workers.push(worker);
      return worker as unknown as Worker;
    },
  });
  await settle();
  expect(state().status).toBe('ready');
  const worker = workers.at(-1) as ChannelWorker;
  worker.deaf = true;
  const release = server.hold('project.get');
  const edit = move(7);
  worker.crash();
  await settle();
  expect(state().status).toBe('opening');
  release();
  await settle();
  expect(await edit).toMatchObject({ ok: true });
  expect(state()).toMatchObject({ status: 'ready', document: { nodes: { a: { x: 7 } } } });
});

test('G8.32 a worker that stops to answer is shown within three seconds, and no longer once it answers', async () => {
  await settle();
  const worker = workers[0] as ChannelWorker;
  worker.deaf = true;
  await vi.advanceTimersByTimeAsync(silentAfterMs);
  expect(state().engine).toBe('responding');
  await vi.advanceTimersByTimeAsync(3_000 - silentAfterMs);
  expect(state().engine).toBe('silent');
  worker.deaf = false;
  await vi.advanceTimersByTimeAsync(pingEveryMs);
  await settle();
  expect(state().engine).toBe('responding');
  expect(workers).toHaveLength(1);
});

test('G8.32 a worker that is replaced responds again', async () => {
  await settle();
  (workers[0] as ChannelWorker).deaf = true;
  await vi.advanceTimersByTimeAsync(deadAfterMs + 2 * pingEveryMs);
  await settle();
  expect(workers).toHaveLength(2);
  expect(state()).toMatchObject({ status: 'ready', engine: 'responding' });
});

test('R31.01 a worker whose script takes its time to load is not taken for dead', async () => {
  await settle();
  loading = true;
  workers[0]?.crash();
  await vi.advanceTimersByTimeAsync(50_000);
  expect(workers).toHaveLength(2);
  loading = false;
  workers[1]?.crash();
  await settle();
});

test('R31.01 a page that slept itself does not take its worker for dead', async () => {
  await settle();
  const worker = workers[0] as ChannelWorker;
  worker.deaf = true;
  await vi.advanceTimersByTimeAsync(9_000);
  const slept = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  worker.deaf = false;
  await vi.advanceTimersByTimeAsync(9_500);
  expect(workers).toHaveLength(1);
  slept.mockRestore();
});

test('R31.01 a hidden page does not take a sleeping worker for dead', async () => {
  await settle();
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  (workers[0] as ChannelWorker).deaf = true;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(workers).toHaveLength(1);
  (workers[0] as ChannelWorker).deaf = false;
});

test('R31.01 a worker that never starts is not started for ever', async () => {
  await settle();
  broken = true;
  workers[0]?.crash();
  await settle();
  expect(workers.length).toBeLessThan(8);
  expect(state()).toMatchObject({ status: 'failed', failure: { code: 'engine.broken' }, document: chainDocument() });

  broken = false;
  const reloaded = bridge.dispatch({ type: 'workspace.reload' });
  await settle();
  expect(await reloaded).toMatchObject({ ok: true });
  expect(state()).toMatchObject({ status: 'ready', document: chainDocument() });
});

test('P8.01 an error that the engine throws keeps its name and words on the way', async () => {
  await settle();
  const unopened = new ChannelWorker();
  workers.push(unopened);
  const { wrap } = await import('comlink');
  const api = wrap<{ snapshot(): Promise<unknown> }>(unopened as unknown as Worker);
  const answer = api.snapshot().catch((error: unknown) => error);
  await settle();
  expect(await answer).toMatchObject({ name: 'Error', message: 'The workspace is not open' });
});
