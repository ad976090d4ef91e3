import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Command, CommandResult } from '../../model/commands.ts';
import type { NodeTexts } from '../../model/document/place-item.ts';
import { UndoStack } from '../../model/document/undo-stack.ts';
import type { DocumentChange } from '../../model/document/working-document.ts';
import { failed, type Outcome, type Problem } from '../../model/problem.ts';
import type { Read, ReadOf } from '../../model/reader.ts';
import type { RunState } from '../../model/workspace-state.ts';
import type { EngineSession, EngineSource, Recovered } from '../protocol.ts';
import { loadAgents } from './agents.ts';
import { observeBackend } from './backends/observe-backend.ts';
import { type Answer, type Backend, type BackendFault, isMissing } from './backends/port.ts';
import { Demo } from './demo.ts';
import { dispatchCommand, type Parts } from './dispatch-command.ts';
import { DocumentCheck } from './document-check.ts';
import type { Environment, UndoEdit } from './environment.ts';
import { loadHistory, settleHistory } from './history.ts';
import { ProjectWatch } from './project-watch.ts';
import { loadProjects } from './projects.ts';
import { refusalNotice } from './refusal-notice.ts';
import { RunFollower } from './run/run-follower.ts';
import { RunQueue } from './run/run-queue.ts';
import { KeptCanvas } from './save/kept-canvas.ts';
import { openCanvas } from './save/open-canvas.ts';
import { TabDisk } from './save/tab-disk.ts';
import { ServerLink } from './server-link.ts';
import { Console } from './store/console.ts';
import { LiveLog } from './store/live-log.ts';
import { Notices } from './store/notices.ts';
import type { Store } from './store/store.ts';
import { ConsoleTalk } from './talk/console-talk.ts';
import { recallCommands } from './talk/recall-commands.ts';
import { beginUpkeep } from './upkeep.ts';

type WorkspaceOptions = {
  store: Store;
  environment: Environment;
  source: EngineSource;
  recovered: Recovered | null;
  tabId: string;
  tabWaitMs: number | undefined;
  texts: () => NodeTexts;
  language: () => string;
  session: () => EngineSession | null;
  createBackend: (clientId: string, onMessage: (message: ServerMessage) => void) => Backend;
};

/** Puts the engine's parts together: opens the project, sends each command to the part that knows it, and closes in order. */
export class Workspace {
  readonly store: Store;
  readonly #options: WorkspaceOptions;
  readonly #undo = new UndoStack();
  readonly #console: Console;
  readonly #live: LiveLog;
  readonly #notices: Notices;
  readonly #check: DocumentCheck;
  /** Null in a workspace that has no server. */
  readonly #link: ServerLink | null;
  readonly #disk: TabDisk;
  readonly #kept: KeptCanvas;
  readonly #watch: ProjectWatch;
  #backend: Backend | null = null;
  #follower: RunFollower | null = null;
  #queue: RunQueue | null = null;
  #talk: ConsoleTalk | null = null;
  #demo: Demo | null = null;
  #opening: Promise<void> | null = null;
  readonly #leaving = new AbortController();
  /** Ends when the server has every task and message that was sent. */
  #sending: Promise<unknown> | null = null;
  #recalled = false;
  /** Why the last reload of the open project failed. */
  #reloadProblem: Problem | null = null;
  #endUpkeep: () => void = () => {};
  /** What a page had when its worker died; laid over the server's canvas once. */
  #recovered: Recovered | null;

  constructor(options: WorkspaceOptions) {
    const { store, environment, source } = options;
    this.#options = options;
    this.store = store;
    this.#disk = new TabDisk(environment, options.tabId, options.tabWaitMs);
    this.#recovered = options.recovered;
    this.#console = new Console(store, environment);
    this.#live = new LiveLog(store, environment);
    this.#notices = new Notices(store, environment);
    this.#check = new DocumentCheck(store, environment, source.kind !== 'local');
    this.#kept = new KeptCanvas({
      ...{ store, environment, disk: this.#disk, notices: this.#notices, undo: this.#undo },
      check: () => this.#check.soon(),
    });
    this.#link = source.kind === 'server' ? this.#createLink() : null;
    this.#watch = new ProjectWatch({
      store,
      backend: () => this.#backend,
      tabId: () => this.#disk.tabId,
      onGone: () => this.#rest(),
      now: environment.now,
    });
  }

  /** Opens the project, or says in the state why it could not; asked again, it tries again. */
  open(): Promise<void> {
    if (this.#watch.gone) return Promise.resolve();
    this.#opening ??= this.#openWithNewestSession().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** A session that is renewed while a refused one is still asked with opens the project after it. */
  async #openWithNewestSession(): Promise<void> {
    const { session } = this.#options;
    for (;;) {
      const used = session();
      await this.#open();
      if (this.store.state.status !== 'failed' || session() === used || this.#leaving.signal.aborted) return;
    }
  }

  /** The tab's name, once it is held. */
  async tabId(): Promise<string> {
    if (this.#options.source.kind === 'server') await this.#disk.claimName();
    return this.#disk.tabId;
  }

  async dispatch(command: Command): Promise<Outcome<CommandResult>> {
    const dispatched = dispatchCommand(this.#parts(), command);
    if (command.type === 'dialog.send' || command.type === 'run.start') this.#sending = Promise.allSettled([this.#sending, dispatched]);
    const outcome = await dispatched;
    const notice = outcome.ok ? null : refusalNotice(command, outcome.error);
    if (notice) this.#notices.show(notice);
    return outcome;
  }

  /** What somebody looks at, from where it is kept. A failure is theirs to show; that thoughts are not heard is said besides. W8.01 */
  read: Read = async (name, ...of) => {
    if (!this.#backend) return failed('workspace.opening');
    const answer = await (this.#backend[name] as (...sent: unknown[]) => Promise<Answer<ReadOf<typeof name>>>)(...of);
    if (answer.ok) return answer;
    const { problem } = answer.fault;
    if (name !== 'listThoughts') return { ok: false, error: problem };
    const error = { code: 'thoughts.failed', params: { ...problem.params, cause: problem.code } };
    this.#notices.show(error);
    return { ok: false, error };
  };

  /** The session was renewed or taken away; what waited for it goes on. */
  sessionChanged(): void {
    this.#link?.sessionChanged();
  }

  /** Replaces a local workspace's document and run; nothing of it can be undone. */
  loadDocument(document: CanvasDocument, run: RunState): void {
    if (this.#options.source.kind !== 'local') throw new Error('Only a local workspace takes a document');
    this.store.together(() => {
      this.store.replaceDocument(document);
      this.#kept.forgetUndo();
      this.store.update((draft) => {
        draft.run = run;
      });
    });
    this.#check.soon();
  }

  async close(): Promise<void> {
    this.#leaving.abort();
    this.#endUpkeep();
    this.#link?.close();
    this.#follower?.forget();
    this.#talk?.close();
    this.#demo?.close();
    this.#check.close();
    this.#notices.close();
    await Promise.allSettled([this.#sending, this.#kept.autosave?.flush()]);
    this.#kept.autosave?.close();
    this.#disk.close();
    this.store.close();
  }

  #parts(): Parts {
    const { environment, texts } = this.#options;
    return {
      store: this.store,
      environment,
      undo: this.#undo,
      console: this.#console,
      notices: this.#notices,
      realtime: this.#link?.channel ?? null,
      backend: this.#backend,
      letGo: () => this.#letGo(),
      server: this.#backend &&
        this.#follower &&
        this.#queue &&
        this.#talk && {
          ...{ backend: this.#backend, follower: this.#follower, queue: this.#queue },
          ...{ autosave: this.#kept.autosave, talk: this.#talk },
        },
      texts,
      onEdited: (change, undo) => this.#edited(change, undo),
      reload: () => this.#reload(),
      check: () => this.#check.soon(),
      leaving: this.#leaving.signal,
    };
  }

  async #open(): Promise<void> {
    const { environment, source, session } = this.#options;
    const recovered = this.#kept.unsaved ?? this.#recovered;
    this.store.update((draft) => {
      draft.status = draft.status === 'ready' || draft.status === 'reloading' ? 'reloading' : 'opening';
      draft.failure = null;
    });
    if (source.kind === 'server') await this.#disk.claimName();
    if (this.#leaving.signal.aborted) return;
    this.#backend ??= observeBackend(
      this.#options.createBackend(this.#disk.tabId, (message) => this.#heard(message)),
      (fault) => this.#answered(fault),
    );
    const backend = this.#backend;
    this.#talk ??= new ConsoleTalk({ store: this.store, backend, console: this.#console, environment, language: this.#options.language });
    if (source.kind === 'local') {
      this.store.replaceDocument(recovered?.document ?? source.document);
      this.store.update((draft) => {
        draft.status = 'ready';
        draft.agents.status = 'ready';
        draft.history.status = 'ready';
        draft.connection.realtime = 'off';
      });
      this.#follower = this.#createFollower(backend, '');
      this.#check.soon();
      return;
    }

    if (source.kind === 'demo') {
      this.#follower ??= this.#createFollower(backend, source.projectId);
      this.#demo ??= new Demo({
        ...{ store: this.store, environment, backend, console: this.#console, follower: this.#follower },
        dispatch: (command) => this.dispatch(command),
      });
      await this.#demo.open(source.projectId);
      this.#check.now();
      return;
    }

    const project = await backend.openProject(source.projectId);
    if (!project.ok) return this.#notOpened(project.fault);
    const projectId = project.value.id;
    const userId = session()?.userId ?? project.value.userId;
    const adoption = await this.#disk.adopt(userId, projectId);
    this.store.update((draft) => {
      draft.project = project.value;
    });
    const follower = this.#follower?.projectId === projectId ? this.#follower : this.#createFollower(backend, projectId);
    this.#follower = follower;
    // A run that is being started is followed once the server has it.
    const isStarting = this.#isStarting();
    if (!isStarting) follower.forget();
    // The run is known before anybody can start another.
    const [canvas, keptUndo] = await Promise.all([
      openCanvas(backend, projectId, this.#disk.tabId, adoption?.journals ?? [], recovered?.projectId === projectId ? recovered : null),
      this.#disk.keptUndo(),
      loadAgents(this.store, backend),
      loadHistory(this.store, backend),
      isStarting ? undefined : follower.showNewest(),
    ]);
    if (this.#leaving.signal.aborted || !canvas.ok) {
      await adoption?.end(false);
      return canvas.ok ? undefined : this.#failed(canvas.fault);
    }

    await this.#kept.begin(backend, projectId, { canvas: canvas.value, keptUndo, adoption });
    this.store.update((draft) => {
      draft.status = 'ready';
    });
    this.#notices.dismissAll(reloadFailed);
    this.#check.now();
    // What is written from here on is in the console already.
    if (!this.#recalled) {
      this.#recalled = true;
      void recallCommands(this.store, backend, this.#console).then(
        (recalled) => this.#leaving.signal.aborted || this.#talk?.takeUp(recalled),
      );
    }
    if (this.#recovered) this.#notices.show({ code: 'engine.restarted' }, 'warning');
    this.#recovered = null;
    void this.#queue?.startNext();
    this.#link?.listen(source.realtime, () => backend.issueSocketTicket());
    this.#endUpkeep();
    this.#endUpkeep = beginUpkeep({ ...this.#options, backend, notices: this.#notices, check: () => this.#check.soon() });
  }

  #createFollower(backend: Backend, projectId: string): RunFollower {
    const { environment } = this.#options;
    const follower = new RunFollower({
      store: this.store,
      backend,
      console: this.#console,
      live: this.#live,
      environment,
      projectId,
      socketConnected: () => this.#link?.channel?.connected ?? this.#demo !== null,
      onDeaf: () => this.#link?.channel?.refresh(),
      onTextGap: () => this.#link?.channel?.askForTexts(),
      onEnded: (executionId) => {
        void settleHistory(this.store, backend, environment, executionId);
        this.#demo?.ended();
        void queue.startNext();
      },
    });
    const { store } = this;
    const queue = new RunQueue({
      ...{ store, backend, console: this.#console, environment, projectId, follower, leaving: this.#leaving.signal },
    });
    this.#queue = queue;
    return follower;
  }

  #createLink(): ServerLink {
    const { environment, session } = this.#options;
    return new ServerLink({
      store: this.store,
      environment,
      console: this.#console,
      session,
      since: () => this.#follower?.since() ?? {},
      onMessage: (message) => this.#heard(message),
      onOpen: () => this.#goOn(),
      onReopen: () => void this.open(),
    });
  }

  #heard(message: ServerMessage): void {
    this.#live.heard(message);
    const projectId = this.store.state.project?.id;
    if (message.type === 'canvas_updated') {
      if (message.projectId === projectId && message.origin !== this.#disk.tabId) void this.#kept.autosave?.heardOf(message.version);
      return;
    }
    if (message.type === 'project_changed') {
      this.#watch.heard(message);
      return;
    }
    if (message.type === 'pipeline_update') this.#watch.heardOfRun(message);
    this.#follower?.receive(message);
    this.#talk?.receive(message);
  }

  #answered(fault: BackendFault | null): void {
    this.#link?.answered(fault);
    this.#watch.answered(fault);
  }

  /** What is not on the server by now has no place there any more. */
  async #letGo(): Promise<void> {
    this.#watch.leave();
    await this.#kept.letGo();
  }

  #rest(): void {
    this.#endUpkeep();
    this.#kept.autosave?.close();
    this.#follower?.forget();
  }

  #edited(change: DocumentChange | null, undo: UndoEdit): void {
    this.#kept.edited(change, undo);
    if (change) this.#check.soon(change);
  }

  /** The way to the server is open again. */
  #goOn(): void {
    this.#kept.autosave?.retry();
    void this.#follower?.pollNow();
    void this.#watch.look();
  }

  /** An address that names no project of the user's says so, and all of them are there to choose from. R08 */
  #notOpened(fault: BackendFault): void {
    if (!isMissing(fault)) this.#failed(fault);
    else if (this.store.state.project) this.#watch.removed();
    else {
      this.#failed({ ...fault, problem: { code: 'project.unknown' } });
      this.#notices.show({ code: 'api.message', params: { message: String(fault.problem.params?.message ?? '') } });
      if (!this.#backend) return;
      void loadProjects(this.store, this.#backend);
      void loadAgents(this.store, this.#backend);
    }
  }

  /** An open workspace stays as it is when its project cannot be read anew. */
  #failed(fault: BackendFault): void {
    if (this.store.state.status === 'reloading') {
      this.store.update((draft) => {
        draft.status = 'ready';
      });
      const { code, params } = fault.problem;
      this.#reloadProblem = { code: reloadFailed, params: { ...params, cause: code } };
      if (fault.kind !== 'unauthenticated') this.#notices.show(this.#reloadProblem, 'error', true);
      return;
    }
    this.store.update((draft) => {
      draft.status = 'failed';
      draft.failure = fault.problem;
    });
  }

  /** Whether a run was begun here that the server does not have yet. */
  #isStarting(): boolean {
    const { phase, execution } = this.store.state.run;
    return phase === 'starting' || (phase === 'stopping' && execution === null);
  }

  async #reload(): Promise<Outcome> {
    if (this.#isStarting()) return failed('run.starting');
    await this.#kept.autosave?.flush();
    this.#reloadProblem = null;
    await this.open();
    const failure = this.store.state.failure ?? this.#reloadProblem;
    return failure ? { ok: false, error: failure } : done;
  }
}

/** The code of the notice that stays until the project was read anew. */
const reloadFailed = 'workspace.reloadFailed';

const done: Outcome = { ok: true, value: undefined };
