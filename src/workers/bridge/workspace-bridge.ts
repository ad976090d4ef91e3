import { proxy, type Remote, wrap } from 'comlink';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Call } from '../../model/call.ts';
import type { Command, Dispatch } from '../../model/commands.ts';
import { failed } from '../../model/problem.ts';
import { emptyWorkspace, type RunState } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { installDocumentTransfer } from '../document-transfer.ts';
import { installErrorTransfer } from '../error-transfer.ts';
import type { EngineSession, EngineSource, OpenOptions, Recovered, Reply, ServedEngine } from '../protocol.ts';
import { Replica } from './replica.ts';
import { isSentAgain } from './sent-again.ts';
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
  call: Call;
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
  const engine = new EngineSupervisor(options);
  const { replica, openOptions } = engine;
  /** A bug of the engine is reported as an error of the page, and the call counts as refused. */
  const reported = (error: unknown) => {
    reportError(error);
    return failed('internal');
  };
  return {
    store: replica,
    async dispatch(command) {
      if (command.type === 'workspace.reload') engine.startIfBroken();
      const shown = replica.documentPlace();
      const send = () => engine.send(command).catch(reported);
      const number = engine.commandsSent + 1;
      let reply = await send();
      // The engine begins commands in their order: nothing is shown of one behind those that it has begun.
      const isUnseen = replica.documentPlace() === shown || number > replica.begun;
      if (!reply && isSentAgain(command) && isUnseen) {
        await engine.untilOpened();
        reply = await send();
      }
      if (!reply) return failed('engine.restarted');
      if (!('outcome' in reply)) return reply;
      await engine.withinLife(replica.reached(reply.epoch, reply.seq));
      return reply.outcome;
    },
    call: async (route, ...sent) =>
      (await engine.call((api) => (api.call as unknown as Call)(route, ...sent)).catch(reported)) ?? failed('engine.restarted'),
    async setSession(session) {
      if (openOptions.source.kind === 'server' && session) openOptions.source = { ...openOptions.source, session };
      await engine.call((api) => api.setSession(session));
    },
    async setLanguage(language) {
      openOptions.source = { ...openOptions.source, language };
      await engine.call((api) => api.setLanguage(language));
    },
    async loadDocument(document, run, pipeline) {
      await engine.call((api) => api.loadDocument(document, run, pipeline));
    },
    async applyEvents(events) {
      await engine.call((api) => api.applyEvents(events));
    },
    async roundTrip() {
      const started = performance.now();
      await engine.call((api) => api.ping());
      return performance.now() - started;
    },
    close: () => engine.close(),
  };
}

/** Keeps one engine running, with the replica of its state, until it is closed or has died too often. */
class EngineSupervisor {
  readonly replica: Replica;
  /** What the next engine is opened with. */
  readonly openOptions: OpenOptions;
  readonly #startWorker: () => Worker;
  /** Whether the tab's name is kept in its session storage. */
  readonly #keepsTabId: boolean;
  readonly #stopWatching: () => void;
  #engine: Running | null = null;
  #isClosed = false;
  #deaths: number[] = [];
  #lastSeen: Recovered | null = null;

  /** No field may keep the options: their document would stay in memory beside the shown one. */
  constructor({ source, startWorker, tabId: givenTabId }: WorkspaceBridgeOptions) {
    this.#startWorker = startWorker;
    this.#keepsTabId = givenTabId === undefined;
    this.openOptions = {
      source,
      tabId: givenTabId ?? tabId(),
      ...(closing > 0 && { tabWaitMs: closeTimeoutMs + releaseTimeoutMs }),
    };
    this.replica = new Replica({ ...emptyWorkspace }, () => {
      this.#engine?.api.snapshot().then(
        (snapshot) => this.replica.load(snapshot),
        () => this.#restart(),
      );
    });
    this.#dropShownDocument();
    this.#start(null);
    this.#stopWatching = watchEngine({
      watched: () => this.#watched(),
      ping: ({ api }: Running) => api.ping(),
      onSilent: () => this.replica.showEngine('silent'),
      onAnswer: () => this.replica.showEngine('responding'),
      onDead: (engine) => this.#restartOf(engine),
      later(ms, task) {
        const timer = setTimeout(task, ms);
        return () => clearTimeout(timer);
      },
    });
  }

  /** Calls the engine; null when the worker died meanwhile. */
  async call<T>(action: (api: Remote<ServedEngine>) => Promise<T>): Promise<T | null> {
    const running = this.#engine;
    if (!running) return null;
    return running.life.within(running.opened.then(() => action(running.api)));
  }

  /** The commands that the running engine was sent; 0 without one. */
  get commandsSent(): number {
    return this.#engine?.commandsSent ?? 0;
  }

  /** Sends a command; null when the worker died meanwhile. */
  async send(command: Command): Promise<Reply | null> {
    if (this.#engine) this.#engine.commandsSent += 1;
    return this.call((api) => api.dispatch(command));
  }

  /** Waits until the running engine has opened its workspace, or cannot; until it dies. */
  async untilOpened(): Promise<void> {
    const running = this.#engine;
    await running?.life.within(running.opened.then(() => this.replica.opened()));
  }

  /** Waits for what the running engine is to bring about; until it dies. */
  async withinLife(reached: Promise<void>): Promise<void> {
    await this.#engine?.life.within(reached);
  }

  startIfBroken(): void {
    if (this.#engine || this.#isClosed) return;
    this.#deaths = [];
    this.#startAnew();
  }

  /** Writes pending edits and ends the worker. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#stopWatching();
    this.#isClosed = true;
    closing += 1;
    await Promise.race([this.call((api) => api.close()).catch(() => {}), new Promise((resolve) => setTimeout(resolve, closeTimeoutMs))]);
    this.#engine?.worker.terminate();
    this.#engine?.life.end();
    this.#engine = null;
    closing -= 1;
  }

  /** Once the document is shown, the replica has it, also for the next worker. A second copy of 10,000 nodes takes megabytes. */
  #dropShownDocument(): void {
    const stop = this.replica.subscribe(({ status }) => {
      if (status !== 'ready') return;
      stop();
      const { source } = this.openOptions;
      if (source.kind === 'local') this.openOptions.source = { ...source, document: emptyWorkspace.document };
    });
  }

  #start(recovered: Recovered | null): void {
    const worker = this.#startWorker();
    const api = wrap<ServedEngine>(worker);
    const life = new Lifetime();
    const running: Running = { worker, api, life, opened: Promise.resolve(), isOpen: false, startedAt: performance.now(), commandsSent: 0 };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#restartOf(running);
    };
    worker.onmessageerror = () => this.#restartOf(running);
    this.replica.expectSnapshot();
    this.#engine = running;
    running.opened = api
      .open(
        { ...this.openOptions, recovered },
        proxy((update) => this.#engine === running && this.replica.apply(update)),
      )
      .then((snapshot) => {
        running.isOpen = true;
        if (this.#engine === running) this.replica.load(snapshot);
        if (this.openOptions.source.kind === 'server') void this.#keepName(running);
        void this.#restartAtEnd(running);
      });
    running.opened.catch(() => this.#restartOf(running));
  }

  async #keepName({ api, life }: Running): Promise<void> {
    const name = await life.within(api.tabId()).catch(() => null);
    if (name === null || name === this.openOptions.tabId) return;
    this.openOptions.tabId = name;
    if (this.#keepsTabId) storeTabId(name);
  }

  /** Waits for the lock that the worker holds as long as it lives: it may end without an error. */
  async #restartAtEnd(running: Running): Promise<void> {
    const name = await running.life.within(running.api.lifeLock()).catch(() => null);
    if (name === null) return;
    const isOver = await navigator.locks.request(name, () => true).catch(() => false);
    if (isOver) this.#restartOf(running);
  }

  #restartOf(running: Running): void {
    if (this.#engine === running) this.#restart();
  }

  #restart(): void {
    if (this.#isClosed || !this.#engine) return;
    const { worker, life } = this.#engine;
    worker.onerror = null;
    worker.onmessageerror = null;
    worker.terminate();
    life.end();
    this.#deaths = [...this.#deaths.filter((at) => performance.now() - at < deathWindowMs), performance.now()];
    if (this.#deaths.length <= maxDeaths) {
      this.#startAnew();
      return;
    }
    this.#engine = null;
    const state = { ...this.replica.getState(), status: 'failed', failure: { code: 'engine.broken' } } as const;
    this.replica.load({ epoch: 'broken', seq: 0, begun: 0, state });
  }

  #startAnew(): void {
    const { status, document, save, project } = this.replica.getState();
    const unsaved = save.status !== 'saved';
    // A worker that died before it was open has nothing newer than its predecessor.
    if (status === 'ready') this.#lastSeen = { document, version: save.version, projectId: project?.id ?? '', unsaved };
    this.#start(this.#lastSeen);
  }

  /** The engine that should answer. A timer of a hidden page may be late, and a worker cannot answer while its script loads. */
  #watched(): Running | null {
    const engine = this.#engine;
    if (!engine || document.visibilityState !== 'visible') return null;
    if (engine.isOpen) return engine;
    if (performance.now() - engine.startedAt > loadTimeoutMs) this.#restartOf(engine);
    return null;
  }
}

type Running = {
  worker: Worker;
  api: Remote<ServedEngine>;
  life: Lifetime;
  opened: Promise<void>;
  isOpen: boolean;
  startedAt: number;
  commandsSent: number;
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
