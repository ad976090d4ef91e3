import type { Command, CommandResult } from '../../../src/model/commands.ts';
import { consoleMessages } from '../../../src/model/console/console-pages.ts';
import type { Outcome } from '../../../src/model/problem.ts';
import { type ConsoleMessage, emptyWorkspace, type WorkspaceState } from '../../../src/model/workspace-state.ts';
import { Replica } from '../../../src/workers/bridge/replica.ts';
import { createEngine } from '../../../src/workers/engine/create-engine.ts';
import type { Environment, Journals, Socket, TabLocks } from '../../../src/workers/engine/environment/environment.ts';
import type { EngineApi, EngineSession, Recovered, Update } from '../../../src/workers/protocol.ts';
import type { FakeServer } from './fake-server/fake-server.ts';
import { projectId, userId } from './samples.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The number of ids made so far; it is shared, so two engines never make the same id. */
let made = 0;

/** The state that tabs of one browser share. */
export type Browser = { clock: VirtualClock; journals: () => Promise<Journals>; live: Set<string> };

type TabOptions = { tabId?: string; realtime?: 'auto' | 'off'; recovered?: Recovered | null };

/** One tab's engine and the replica on its page. Everything between them is cloned, as a worker's messages are. */
export class Tab {
  readonly #browser: Browser;
  readonly #server: FakeServer;
  readonly #tabId: string;
  readonly engine: EngineApi;
  readonly replica: Replica;
  readonly updates: Update[] = [];
  readonly sockets: FakeSocket[] = [];
  /** The warnings in the developer's console. */
  readonly warnings: string[] = [];
  socketsOpen: boolean | 'never' = true;
  #online: (() => void) | null = null;

  constructor(browser: Browser, server: FakeServer, tabId = 'tab-1') {
    this.#browser = browser;
    this.#server = server;
    this.#tabId = tabId;
    this.engine = createEngine({
      environment: this.#environment(),
      createBackend: ({ clientId }) => server.backend(clientId),
    });
    this.replica = new Replica(
      emptyWorkspace,
      () => void this.engine.snapshot().then((snapshot) => this.replica.load(structuredClone(snapshot))),
    );
  }

  /** Opens the project and lets it load. */
  async open({ realtime = 'auto', recovered = null }: TabOptions = {}): Promise<this> {
    const source = { kind: 'server' as const, projectId: 'default', session, language: 'en', realtime };
    this.replica.expectSnapshot();
    const snapshot = await this.engine.open({ source, tabId: this.#tabId, recovered }, (update) => {
      const copy = structuredClone(update);
      this.updates.push(copy);
      this.replica.apply(copy);
    });
    this.replica.load(structuredClone(snapshot));
    await this.#browser.clock.pass(50);
    return this;
  }

  get state(): WorkspaceState {
    return this.replica.getState();
  }

  get recovered(): Recovered {
    return {
      document: structuredClone(this.state.document),
      version: this.state.save.version,
      projectId,
      unsaved: this.state.save.status !== 'saved',
    };
  }

  get messages(): readonly ConsoleMessage[] {
    return consoleMessages(this.state.console);
  }

  /** The console in short: event codes and the beginnings of texts. */
  get lines(): string[] {
    return this.messages.map((message) => message.event?.code ?? message.text.slice(0, 40));
  }

  /** Runs a command that is answered immediately. */
  async does(command: Command): Promise<Outcome<CommandResult>> {
    const { outcome } = await this.engine.dispatch(structuredClone(command));
    await this.#browser.clock.pass(20);
    return outcome;
  }

  /** Runs a command like `does`, and lets `ms` pass before its answer. */
  async doesIn(ms: number, command: Command): Promise<Outcome<CommandResult>> {
    const reply = this.engine.dispatch(structuredClone(command));
    await this.#browser.clock.pass(ms);
    return (await reply).outcome;
  }

  /** Ends the worker or its tab without a message. */
  die(): void {
    this.#browser.live.delete(this.#tabId);
    for (const socket of this.sockets) socket.cut();
    this.#dead = true;
  }

  goesOnline(): void {
    this.#online?.();
  }

  #dead = false;

  #environment(): Environment {
    const { clock, journals, live } = this.#browser;
    const locks: TabLocks = {
      hold: async (tabId) => {
        if (live.has(tabId)) return null;
        live.add(tabId);
        return () => live.delete(tabId);
      },
      openTabs: async () => new Set(live),
    };
    return {
      now: clock.now,
      newId: () => {
        made += 1;
        return `${this.#tabId}-${made}`;
      },
      later: (ms, task) => clock.later(ms, () => this.#dead || task()),
      warn: (text) => void this.warnings.push(text),
      openSocket: (url) => {
        const socket = new FakeSocket(url, this.#server, clock, this.socketsOpen);
        this.sockets.push(socket);
        return socket as unknown as Socket;
      },
      onOnline: (listener) => {
        this.#online = listener;
        return () => {};
      },
      openJournals: journals,
      locks,
    };
  }
}

/** A socket to the fake server. A message sent before it opens fails, as in a browser. */
class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: unknown[] = [];
  readonly #server: FakeServer;
  readonly #listener = (message: unknown) => this.onmessage?.({ data: JSON.stringify(message) });

  readonly url: string;

  constructor(url: string, server: FakeServer, clock: VirtualClock, opens: boolean | 'never') {
    this.url = url;
    this.#server = server;
    if (opens === 'never') return;
    clock.later(5, () => {
      if (!opens) return this.cut();
      server.listeners.add(this.#listener);
      this.onopen?.();
    });
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.#server.listeners.delete(this.#listener);
  }

  /** Breaks the connection. */
  cut(): void {
    this.close();
    this.onclose?.();
  }
}

export const session: EngineSession = { accessToken: 'token-1', apiBase: 'http://localhost:5001/api', userId };
