import { proxy, type Remote, wrap } from 'comlink';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Command, CommandResult, Dispatch } from '../../model/commands.ts';
import { failed, type Outcome } from '../../model/problem.ts';
import type { Read } from '../../model/reader.ts';
import { emptyWorkspace, type RunState } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { installDocumentTransfer } from '../document-transfer.ts';
import { installErrorTransfer } from '../error-transfer.ts';
import type { EngineSession, EngineSource, OpenOptions, Recovered, ServedEngine } from '../protocol.ts';
import { Replica } from './replica.ts';
import { storeTabId, tabId } from './tab-id.ts';
import { watchEngine } from './watch-engine.ts';

installErrorTransfer();
installDocumentTransfer();

/** The time that a worker's script may take to load (ms). Until then it cannot answer. */
const loadTimeoutMs = 60_000;

/** How long closing may take to send the last edits; the journal has them too. */
const closeTimeoutMs = 3_000;

/** How long a terminated worker may take to release the tab's name. */
const releaseTimeoutMs = 1_000;

/** The number of engines of this page that are closing and still hold the tab's name. */
let closing = 0;

/** A worker that dies more often than this within the window is not started again without the user. */
const maxDeaths = 4;
const deathWindowMs = 60_000;

type WorkspaceBridgeOptions = {
  source: EngineSource;
  /** Names this tab's journal; kept in the tab's session storage unless given. */
  tabId?: string;
  startWorker: () => Worker;
};

/** The page's end of the workspace: a read-only replica, and the way to send commands to the engine in its worker. */
export type WorkspaceBridge = {
  store: WorkspaceStore;
  dispatch: Dispatch;
  read: Read;
  /** Sends a refreshed session; null after a log-out. */
  setSession(session: EngineSession | null): Promise<void>;
  setLanguage(language: string): Promise<void>;
  /** Replaces the document of a local workspace, and the run shown on it. */
  loadDocument(document: CanvasDocument, run?: RunState, pipeline?: Pipeline): Promise<void>;
  /** Applies events to the run of a local workspace, as those of a server. */
  applyEvents(events: readonly ExecutionEvent[]): Promise<void>;
  /** How long an empty call to the worker and back takes (ms). */
  roundTrip(): Promise<number>;
  /** Writes pending edits and ends the worker. */
  close(): Promise<void>;
};

/** Starts the engine and keeps it running: a dead worker is replaced, and the new one gets the page's last document. */
export function createWorkspaceBridge(options: WorkspaceBridgeOptions): WorkspaceBridge {
  // No function below may keep `options`: its document would stay in memory beside the shown one.
  const { startWorker, tabId: givenTabId } = options;
  const openOptions: OpenOptions = {
    source: options.source,
    tabId: givenTabId ?? tabId(),
    ...(closing > 0 && { tabWaitMs: closeTimeoutMs + releaseTimeoutMs }),
  };
  let engine: Running | null = null;
  let closed = false;
  let deaths: number[] = [];
  let lastSeen: Recovered | null = null;

  const replica = new Replica({ ...emptyWorkspace }, () => {
    engine?.api.snapshot().then((snapshot) => replica.load(snapshot), restart);
  });

  // Once the document is shown, the replica has it, also for the next worker. A second copy of 10,000 nodes takes megabytes.
  const stopHolding = replica.subscribe(({ status }) => {
    if (status !== 'ready') return;
    stopHolding();
    if (openOptions.source.kind === 'local') openOptions.source = { ...openOptions.source, document: emptyWorkspace.document };
  });
  start(null);
  const stopWatching = watchEngine({
    watched,
    ping: ({ api }: Running) => api.ping(),
    onSilent: () => replica.showEngine('silent'),
    onAnswer: () => replica.showEngine('responding'),
    onDead: restartOf,
    later(ms, task) {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
  });

  function start(recovered: Recovered | null): void {
    const worker = startWorker();
    const api = wrap<ServedEngine>(worker);
    const life = new Lifetime();
    const running: Running = { worker, api, life, opened: Promise.resolve(), isOpen: false, startedAt: performance.now() };
    worker.onerror = (event) => {
      event.preventDefault();
      restartOf(running);
    };
    worker.onmessageerror = () => restartOf(running);
    replica.expectSnapshot();
    engine = running;
    running.opened = api
      .open(
        { ...openOptions, recovered },
        proxy((update) => engine === running && replica.apply(update)),
      )
      .then((snapshot) => {
        running.isOpen = true;
        if (engine === running) replica.load(snapshot);
        if (openOptions.source.kind === 'server') void keepName(running);
        void restartAtEnd(running);
      });
    running.opened.catch(() => restartOf(running));
  }

  async function keepName({ api, life }: Running): Promise<void> {
    const name = await life.within(api.tabId()).catch(() => null);
    if (name === null || name === openOptions.tabId) return;
    openOptions.tabId = name;
    if (givenTabId === undefined) storeTabId(name);
  }

  /** Waits for the lock that the worker holds as long as it lives: it may end without an error. */
  async function restartAtEnd(running: Running): Promise<void> {
    const name = await running.life.within(running.api.lifeLock()).catch(() => null);
    if (name === null) return;
    const isOver = await navigator.locks.request(name, () => true).catch(() => false);
    if (isOver) restartOf(running);
  }

  function restartOf(running: Running): void {
    if (engine === running) restart();
  }

  function restart(): void {
    if (closed || !engine) return;
    const { worker, life } = engine;
    worker.onerror = null;
    worker.onmessageerror = null;
    worker.terminate();
    life.end();
    const state = replica.getState();
    deaths = [...deaths.filter((at) => performance.now() - at < deathWindowMs), performance.now()];
    if (deaths.length > maxDeaths) {
      engine = null;
      replica.load({ epoch: 'broken', seq: 0, state: { ...state, status: 'failed', failure: { code: 'engine.broken' } } });
      return;
    }
    startAnew();
  }

  function startAnew(): void {
    const { status, document, save, project } = replica.getState();
    // A worker that died before it was open has nothing newer than its predecessor.
    if (status === 'ready') lastSeen = { document, version: save.version, projectId: project?.id ?? '', unsaved: save.status !== 'saved' };
    start(lastSeen);
  }

  /** The engine that should answer. A timer of a hidden page may be late, and a worker cannot answer while its script loads. */
  function watched(): Running | null {
    if (!engine || document.visibilityState !== 'visible') return null;
    if (engine.isOpen) return engine;
    if (performance.now() - engine.startedAt > loadTimeoutMs) restartOf(engine);
    return null;
  }

  /** Calls the engine; null when the worker died meanwhile. */
  async function call<T>(action: (api: Remote<ServedEngine>) => Promise<T>): Promise<T | null> {
    const running = engine;
    if (!running) return null;
    return running.life.within(running.opened.then(() => action(running.api)));
  }

  async function dispatch(command: Command): Promise<Outcome<CommandResult>> {
    if (command.type === 'workspace.reload' && !engine && !closed) {
      deaths = [];
      startAnew();
    }
    const reply = await call((api) => api.dispatch(command)).catch((error: unknown) => {
      // A bug of the engine: it is reported as an error of the page, and the command counts as refused.
      reportError(error);
      return failed('internal');
    });
    if (!reply) return failed('engine.restarted');
    if (!('outcome' in reply)) return reply;
    await engine?.life.within(replica.reached(reply.epoch, reply.seq));
    return reply.outcome;
  }

  return {
    store: replica,
    dispatch,
    read: async (name, ...of) => {
      const answer = await call((api) => (api.read as unknown as Read)(name, ...of)).catch((error: unknown) => {
        reportError(error);
        return failed('internal');
      });
      return answer ?? failed('engine.restarted');
    },
    async setSession(session) {
      if (openOptions.source.kind === 'server' && session) openOptions.source = { ...openOptions.source, session };
      await call((api) => api.setSession(session));
    },
    async setLanguage(language) {
      openOptions.source = { ...openOptions.source, language };
      await call((api) => api.setLanguage(language));
    },
    async loadDocument(document, run, pipeline) {
      await call((api) => api.loadDocument(document, run, pipeline));
    },
    async applyEvents(events) {
      await call((api) => api.applyEvents(events));
    },
    async roundTrip() {
      const started = performance.now();
      await call((api) => api.ping());
      return performance.now() - started;
    },
    async close() {
      if (closed) return;
      stopWatching();
      closed = true;
      closing += 1;
      await Promise.race([call((api) => api.close()).catch(() => {}), new Promise((resolve) => setTimeout(resolve, closeTimeoutMs))]);
      engine?.worker.terminate();
      engine?.life.end();
      engine = null;
      closing -= 1;
    },
  };
}

type Running = {
  worker: Worker;
  api: Remote<ServedEngine>;
  life: Lifetime;
  opened: Promise<void>;
  isOpen: boolean;
  startedAt: number;
};

/**
 * The lifetime of an object such as a worker. A caller that waits for an answer gets null if the lifetime ends first. An answered
 * call leaves nothing in memory, while a race against one promise of the end would keep each answer.
 */
export class Lifetime {
  #isOver = false;
  readonly #waiting = new Set<() => void>();

  /** The answer, or null when the end comes first. */
  within<T>(answer: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const resolveNull = () => resolve(null);
      if (this.#isOver) resolveNull();
      else this.#waiting.add(resolveNull);
      answer.then(resolve, reject).finally(() => this.#waiting.delete(resolveNull));
    });
  }

  end(): void {
    this.#isOver = true;
    for (const giveUp of this.#waiting) giveUp();
    this.#waiting.clear();
  }
}
