import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Call } from '../../model/call.ts';
import type { Command, CommandResult } from '../../model/commands.ts';
import { done, failed, type Outcome } from '../../model/problem.ts';
import { applyExecutionEvent } from '../../model/run/apply-execution-event.ts';
import type { RunState } from '../../model/workspace-state.ts';
import type { EngineSession, EngineSource, Recovered } from '../protocol.ts';
import { createAgentsModule } from './agents/agents-module.ts';
import { outcomeOfCall } from './backends/outcome-of-call.ts';
import type { Backend, BackendError } from './backends/port.ts';
import { callForPage } from './call-for-page.ts';
import { type ConnectionModule, createConnectionModule } from './connection/connection-module.ts';
import { createConsoleModule } from './console/console-module.ts';
import { createDemoModule } from './demo/demo-module.ts';
import { createDocumentModule, type DocumentModule } from './document/document-module.ts';
import type { EngineContext } from './engine-context.ts';
import { type CommandOf, type CommandType, type EngineModule, type Handlers, mergeHandlers, type Notify } from './engine-module.ts';
import type { Environment } from './environment/environment.ts';
import { createHistoryModule } from './history/history-module.ts';
import { createInputsModule } from './inputs/inputs-module.ts';
import { JournalOwner } from './persistence/journal-owner.ts';
import { createPersistenceModule, type PersistenceModule } from './persistence/persistence-module.ts';
import { createProjectsModule } from './projects/projects-module.ts';
import { createQuestionsModule } from './questions/questions-module.ts';
import { refusalNotice } from './refusal-notice.ts';
import { createReplayModule } from './replay/replay-module.ts';
import { RunLinks } from './run/run-links.ts';
import { createRunModule, type RunModule } from './run/run-module.ts';
import { createStorageModule } from './storage/storage-module.ts';
import { Console } from './store/console.ts';
import { Notices } from './store/notices.ts';
import type { Store } from './store/store.ts';
import { createVersionsModule } from './versions/versions-module.ts';
import { WorkspaceOpening } from './workspace-opening.ts';

type RunnerType = Extract<Command['type'], `runner.${string}`>;

/** Connects the server to the runner of its machine. Which runner it has is read on demand. */
function createRunnerModule({ backend }: EngineContext): EngineModule<RunnerType> {
  return {
    handlers: {
      'runner.connect': () => outcomeOfCall(backend.call('runner.connect')),
      'runner.disconnect': () => outcomeOfCall(backend.call('runner.disconnect')),
    },
  };
}

type WorkspaceOptions = {
  store: Store;
  environment: Environment;
  source: EngineSource;
  recovered: Recovered | null;
  tabId: string;
  tabWaitMs: number | undefined;
  language: () => string;
  session: () => EngineSession | null;
  createBackend: (clientId: () => string, onMessage: (message: ServerMessage) => void) => Backend;
};

/** One workspace: makes the context and the modules, gives each command to its handler, and closes. */
export class Workspace {
  readonly store: Store;
  readonly #context: EngineContext;
  readonly #journalOwner: JournalOwner;
  readonly #document: DocumentModule;
  readonly #persistence: PersistenceModule;
  readonly #connection: ConnectionModule;
  readonly #opening: WorkspaceOpening;
  readonly #modules: EngineModule[];
  readonly #handlers: Handlers;
  readonly #closing = new AbortController();
  /** The links of a run that was loaded without a server. */
  #localLinks: RunLinks | null = null;

  constructor({ store, environment, source, recovered, tabId, tabWaitMs, language, session, createBackend }: WorkspaceOptions) {
    this.store = store;
    const journalOwner = new JournalOwner(environment, tabId, tabWaitMs);
    const notify: Notify = (hook, ...values) => {
      for (const module of this.#modules) (module[hook] as ((...given: typeof values) => void) | undefined)?.(...values);
    };
    const backend = createBackend(
      () => journalOwner.tabId,
      (message) => notify('onMessage', message),
    );
    const context: EngineContext = {
      source,
      store,
      environment,
      session,
      language,
      notify,
      backend: observeBackend(backend, (fault) => notify('onAnswer', fault)),
      console: new Console(store, environment),
      notices: new Notices(store, environment),
      signal: this.#closing.signal,
      tabId: () => journalOwner.tabId,
    };

    const document = createDocumentModule(context);
    const persistence = createPersistenceModule(context, document, journalOwner);
    const connection: ConnectionModule = createConnectionModule(context, {
      since: () => run.since(),
      reopen: () => void this.open(),
    });
    const run: RunModule = createRunModule(context, connection, persistence.canvas);
    const projects = createProjectsModule(context, { persistence: persistence.canvas, check: document.check });
    const demo = createDemoModule(context, run);

    this.#context = context;
    this.#journalOwner = journalOwner;
    this.#document = document;
    this.#persistence = persistence;
    this.#connection = connection;
    this.#opening = new WorkspaceOpening(context, { journalOwner, document, persistence, projects, run, demo, recovered });
    const modules = [
      document,
      persistence,
      connection,
      run,
      createAgentsModule(context, document),
      createHistoryModule(context),
      projects,
      createQuestionsModule(context),
      createInputsModule(context),
      createVersionsModule(context, document, persistence.canvas),
      createStorageModule(context),
      createRunnerModule(context),
      createConsoleModule(context),
      createReplayModule(context),
      demo,
    ] as const;
    this.#modules = [...modules];
    this.#handlers = mergeHandlers(...modules, {
      handlers: {
        'workspace.reload': () => this.#opening.reload(),
        'notice.dismiss': ({ id }: CommandOf<'notice.dismiss'>) => {
          context.notices.dismiss(id);
          return done;
        },
      },
    });
  }

  /** Opens the project, or shows in the state why it could not; another call tries again. */
  open(): Promise<void> {
    return this.#opening.open();
  }

  /** The tab's name, once it is held. */
  async tabId(): Promise<string> {
    if (this.#context.source.kind === 'server') await this.#journalOwner.claimName();
    return this.#journalOwner.tabId;
  }

  async dispatch<T extends CommandType>(command: CommandOf<T>): Promise<Outcome<CommandResult>> {
    const type = command.type as T;
    const outcome = this.#isAvailable(type) ? await this.#handlers[type](command) : failed('workspace.opening');
    const notice = outcome.ok ? null : refusalNotice(command, outcome.error);
    if (notice) this.#context.notices.show(notice);
    return outcome;
  }

  /** Makes a call of the page. Its caller shows a failure; only that of thoughts is also a notice. W8.01 */
  call: Call = async (route, ...sent) => {
    const answer = await callForPage(this.#context, route, sent);
    if (answer.ok) return answer;
    const { problem } = answer.fault;
    if (route !== 'thought.ofProject') return { ok: false, error: problem };
    const error = { code: 'thoughts.failed', params: { ...problem.params, cause: problem.code } };
    this.#context.notices.show(error);
    return { ok: false, error };
  };

  /** Called when the session was refreshed or ended. Waiting work continues after a refresh. */
  sessionChanged(): void {
    this.#connection.sessionChanged();
  }

  /** Replaces the document and run of a workspace without a server. This cannot be undone. `pipeline`: what the run follows. */
  loadDocument(document: CanvasDocument, run: RunState, pipeline: Pipeline | null): void {
    this.#requireLocal();
    this.store.together(() => {
      this.store.replaceDocument(document);
      this.#persistence.canvas.forgetUndo();
      this.store.update((draft) => {
        draft.run = run;
        this.#localLinks = pipeline && RunLinks.of(pipeline, draft.run);
      });
    });
    this.#document.check.soon();
  }

  /** Applies events to the run of a workspace without a server. */
  applyEvents(events: readonly ExecutionEvent[]): void {
    this.#requireLocal();
    this.store.update(({ run }) => {
      for (const event of events) if (applyExecutionEvent(run, event)) this.#localLinks?.apply(event, run);
    });
  }

  #requireLocal(): void {
    if (this.#context.source.kind !== 'local') throw new Error('Only a local workspace takes documents and runs');
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#context.notices.close();
    await Promise.allSettled(this.#modules.map((module) => module.close?.()));
    this.store.close();
  }

  #isAvailable(type: CommandType): boolean {
    const { status } = this.store.state;
    if (status === 'ready' || anyTime.has(type)) return true;
    // The server has to know which tab changed a project.
    if (type.startsWith('project')) return this.#context.source.kind !== 'server' || this.#journalOwner.hasName;
    return status === 'reloading' && whileReloading.has(type);
  }
}

/** The same backend; `onAnswer` gets the fault of each call, or null. */
function observeBackend(backend: Backend, onAnswer: (fault: BackendError | null) => void): Backend {
  return {
    async call(route, ...sent) {
      const answer = await backend.call(route, ...sent);
      onAnswer(answer.ok ? null : answer.fault);
      return answer;
    },
  };
}

/** Commands that need no open project. */
const anyTime: ReadonlySet<Command['type']> = new Set([
  'workspace.reload',
  'notice.dismiss',
  'dialog.reportRefusal',
  'console.toggled',
  'realtime.connect',
  'realtime.disconnect',
]);

/** The run is controlled also while the open project is read again. */
const whileReloading: ReadonlySet<Command['type']> = new Set(['run.pause', 'run.resume', 'run.nextStep', 'run.stop']);
