import type { CanvasDocument } from '../../../contract/canvas.ts';
import { createApi } from '../../api/create-api.ts';
import type { Command } from '../../model/commands.ts';
import { readServerWords } from '../../model/read-server-words.ts';
import { emptyRun, emptyWorkspace, type RunState } from '../../model/workspace-state.ts';
import type { EngineApi, EngineSession, OpenOptions, Reply, Snapshot, Update } from '../protocol.ts';
import { createHttpBackend } from './backends/http.ts';
import { createLocalBackend } from './backends/local.ts';
import type { Backend } from './backends/port.ts';
import type { Environment } from './environment.ts';
import { nodeTexts } from './node-texts.ts';
import { Store } from './store/store.ts';
import { Workspace } from './workspace.ts';

type EngineOptions = {
  environment: Environment;
  /** Takes the place of the server's API, for tests. */
  createBackend?: (session: () => EngineSession | null, language: () => string, clientId: string) => Backend;
};

/** The engine behind the worker's port: one workspace, opened once. */
export function createEngine({ environment, createBackend }: EngineOptions): EngineApi {
  let workspace: Workspace | null = null;
  let session: EngineSession | null = null;
  let language = 'ru';

  function open(options: OpenOptions, onUpdate: (update: Update) => void): Snapshot {
    const { source } = options;
    language = source.language ?? language;
    const local = source.kind === 'local';
    if (!local) session = source.session;
    // A page that had a document goes on showing it while the workspace opens again.
    const document = options.recovered?.document ?? emptyWorkspace.document;
    const store = new Store({ ...structuredClone(emptyWorkspace), document }, environment.newId(), environment.later);
    store.connect(onUpdate);
    workspace = new Workspace({
      store,
      environment,
      source,
      recovered: options.recovered ?? null,
      tabId: options.tabId,
      texts: () => nodeTexts(language),
      language: () => language,
      session: () => session,
      createBackend: (clientId) => {
        if (local) return createLocalBackend(options.recovered?.document ?? source.document);
        return createBackend
          ? createBackend(
              () => session,
              () => language,
              clientId,
            )
          : httpBackend(clientId);
      },
    });
    void workspace.open();
    return store.snapshot();
  }

  function httpBackend(clientId: string): Backend {
    return createHttpBackend(
      createApi({
        base: () => session?.apiBase ?? '',
        getToken: () => session?.accessToken ?? null,
        language: () => language,
        clientId,
        fetch: environment.fetch,
        understand: readServerWords,
        note: environment.warn,
      }),
    );
  }

  function opened(): Workspace {
    if (!workspace) throw new Error('The workspace is not open');
    return workspace;
  }

  return {
    open: async (options, onUpdate) => open(options, onUpdate),
    snapshot: async () => opened().store.snapshot(),
    dispatch: async (command: Command): Promise<Reply> => {
      const outcome = await opened().dispatch(command);
      const { epoch, seq } = opened().store;
      return { outcome, epoch, seq };
    },
    read: async (name, ...of) => opened().read(name, ...of),
    setSession: async (next) => {
      session = next;
      opened().sessionChanged();
    },
    setLanguage: async (next) => {
      language = next;
    },
    loadDocument: async (document: CanvasDocument, run: RunState = emptyRun) => opened().loadDocument(document, run),
    ping: async () => {},
    close: async () => opened().close(),
  };
}
