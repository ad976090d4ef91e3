import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Command } from '../../model/commands.ts';
import { emptyRun, emptyWorkspace, type RunState } from '../../model/workspace-state.ts';
import type { EngineApi, EngineSession, OpenOptions, Reply, Snapshot, Update } from '../protocol.ts';
import { createLocalBackend } from './backends/local.ts';
import type { Backend } from './backends/port.ts';
import type { Environment } from './environment/environment.ts';
import { Store } from './store/store.ts';
import { Workspace } from './workspace.ts';

/** The dependencies of a backend. */
export type BackendParts = {
  session: () => EngineSession | null;
  language: () => string;
  /** Names the tab that writes. */
  clientId: () => string;
  /** Takes messages of a backend without a socket. */
  onMessage: (message: ServerMessage) => void;
};

type EngineOptions = {
  environment: Environment;
  /** Creates the backend of a workspace; a workspace without a server has its own. */
  createBackend: (parts: BackendParts) => Backend;
};

/** The engine behind the worker's port: one workspace, opened once. */
export function createEngine({ environment, createBackend }: EngineOptions): EngineApi {
  let workspace: Workspace | null = null;
  let session: EngineSession | null = null;
  let language = 'ru';

  function open(options: OpenOptions, onUpdate: (update: Update) => void): Snapshot {
    const { source } = options;
    language = source.language ?? language;
    if (source.kind === 'server') session = source.session;
    // A page that had a document shows it while the workspace opens again.
    const document = options.recovered?.document ?? emptyWorkspace.document;
    const store = new Store({ ...structuredClone(emptyWorkspace), document }, environment.newId(), environment.later);
    store.connect(onUpdate);
    workspace = new Workspace({
      store,
      environment,
      source,
      recovered: options.recovered ?? null,
      tabId: options.tabId,
      tabWaitMs: options.tabWaitMs,
      language: () => language,
      session: () => session,
      createBackend: (clientId, onMessage) =>
        source.kind === 'local'
          ? createLocalBackend(options.recovered?.document ?? source.document)
          : createBackend({ session: () => session, language: () => language, clientId, onMessage }),
    });
    void workspace.open();
    return store.snapshot();
  }

  function opened(): Workspace {
    if (!workspace) throw new Error('The workspace is not open');
    return workspace;
  }

  return {
    open: async (options, onUpdate) => open(options, onUpdate),
    snapshot: async () => opened().store.snapshot(),
    tabId: async () => opened().tabId(),
    dispatch: async (command: Command): Promise<Reply> => {
      opened().store.beginCommand();
      const outcome = await opened().dispatch(command);
      const { epoch, seq } = opened().store;
      return { outcome, epoch, seq };
    },
    call: async (route, ...sent) => opened().call(route, ...sent),
    setSession: async (next) => {
      session = next;
      opened().sessionChanged();
    },
    setLanguage: async (next) => {
      language = next;
    },
    loadDocument: async (document: CanvasDocument, run: RunState = emptyRun, pipeline: Pipeline | null = null) =>
      opened().loadDocument(document, run, pipeline),
    applyEvents: async (events: readonly ExecutionEvent[]) => opened().applyEvents(events),
    ping: async () => {},
    close: async () => opened().close(),
  };
}
