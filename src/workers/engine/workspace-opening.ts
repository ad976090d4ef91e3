import { singleFlight } from '../../../async/single-flight.ts';
import { failed, type Outcome, outcomeOf, type Problem } from '../../model/problem.ts';
import type { EngineSource, Recovered } from '../protocol.ts';
import { loadAgents } from './agents/agent-list.ts';
import { type BackendError, isMissing } from './backends/port.ts';
import type { createDemoModule } from './demo/demo-module.ts';
import type { DocumentModule } from './document/document-module.ts';
import type { EngineContext } from './engine-context.ts';
import { loadHistory } from './history/history-list.ts';
import type { JournalOwner } from './persistence/journal-owner.ts';
import { openCanvas } from './persistence/open-canvas.ts';
import type { PersistenceModule } from './persistence/persistence-module.ts';
import { loadProjects } from './projects/project-list.ts';
import type { ProjectsModule } from './projects/projects-module.ts';
import type { RunModule } from './run/run-module.ts';

type OpeningParts = {
  journalOwner: JournalOwner;
  document: DocumentModule;
  persistence: PersistenceModule;
  projects: ProjectsModule;
  run: RunModule;
  demo: ReturnType<typeof createDemoModule>;
  /** The page's state when its worker died; applied to the server's canvas once. */
  recovered: Recovered | null;
};

/** Code of the notice that stays until the project was read again. */
const reloadFailed = 'workspace.reloadFailed';

/** Opens the workspace, or reads it again. After a failure the state has the reason, and another call retries. */
export class WorkspaceOpening {
  readonly #context: EngineContext;
  readonly #parts: OpeningParts;
  #recovered: Recovered | null;
  /** Why the last reload of the open project failed. */
  #reloadProblem: Problem | null = null;

  constructor(context: EngineContext, parts: OpeningParts) {
    this.#context = context;
    this.#parts = parts;
    this.#recovered = parts.recovered;
  }

  /** When the session was refreshed while a refused one was in use, the project is opened once more with the new one. */
  readonly open = singleFlight(async (): Promise<void> => {
    const { store, session, signal } = this.#context;
    for (;;) {
      if (this.#parts.projects.isGone) return;
      const used = session();
      await this.#openOnce();
      if (store.state.status !== 'failed' || session() === used || signal.aborted) return;
    }
  });

  /** Saves unsaved edits and reads the workspace again. */
  async reload(): Promise<Outcome> {
    if (this.#parts.run.isStarting()) return failed('run.starting');
    await this.#parts.persistence.canvas.flush();
    this.#reloadProblem = null;
    await this.open();
    return outcomeOf(this.#context.store.state.failure ?? this.#reloadProblem);
  }

  #openOnce(): Promise<void> {
    const { store, source } = this.#context;
    const recovered = this.#parts.persistence.canvas.unsaved ?? this.#recovered;
    store.update((draft) => {
      draft.status = draft.status === 'ready' || draft.status === 'reloading' ? 'reloading' : 'opening';
      draft.failure = null;
    });
    switch (source.kind) {
      case 'local':
        return this.#openLocal(source, recovered);
      case 'demo':
        return this.#openDemo(source);
      case 'server':
        return this.#openProject(source, recovered);
      default:
        return source satisfies never;
    }
  }

  async #openLocal(source: Extract<EngineSource, { kind: 'local' }>, recovered: Recovered | null): Promise<void> {
    const { store } = this.#context;
    store.replaceDocument(recovered?.document ?? source.document);
    store.update((draft) => {
      draft.status = 'ready';
      draft.agents.status = 'ready';
      draft.history.status = 'ready';
      draft.connection.realtime = 'off';
    });
    this.#parts.document.check.soon();
  }

  async #openDemo({ projectId }: Extract<EngineSource, { kind: 'demo' }>): Promise<void> {
    await this.#parts.demo.open(projectId);
    this.#parts.document.check.now();
  }

  async #openProject(source: Extract<EngineSource, { kind: 'server' }>, recovered: Recovered | null): Promise<void> {
    const { store, backend, session, signal, notices, notify } = this.#context;
    const { journalOwner, persistence, run } = this.#parts;
    await journalOwner.claimName();
    if (signal.aborted) return;
    const project = await backend.call('project.get', { params: { id: source.projectId } });
    if (!project.ok) return this.#showNotOpened(project.fault);
    const { id: projectId, userId } = project.value;
    const adoption = await journalOwner.adopt(session()?.userId ?? userId, projectId);
    store.update((draft) => {
      draft.project = project.value;
    });
    // The newest run is shown before the workspace is ready, so that no second one is started meanwhile.
    const [canvas, keptUndo] = await Promise.all([
      openCanvas(backend, projectId, journalOwner.tabId, adoption?.journals ?? [], recovered?.projectId === projectId ? recovered : null),
      journalOwner.keptUndo(),
      loadAgents(this.#context),
      loadHistory(this.#context),
      run.showNewest(),
    ]);
    if (signal.aborted || !canvas.ok) {
      await adoption?.end(false);
      return canvas.ok ? undefined : this.#showFailure(canvas.fault);
    }

    await persistence.canvas.begin(projectId, { canvas: canvas.value, keptUndo, adoption });
    store.update((draft) => {
      draft.status = 'ready';
    });
    notices.dismissAll(reloadFailed);
    if (this.#recovered) notices.show({ code: 'engine.restarted' }, 'warning');
    this.#recovered = null;
    notify('onProjectOpened');
  }

  /** A URL that names none of the user's projects is reported, and the list of projects is read to choose from. R08 */
  #showNotOpened(fault: BackendError): void {
    const { store, notices } = this.#context;
    if (!isMissing(fault)) this.#showFailure(fault);
    else if (store.state.project) this.#parts.projects.showRemoved();
    else {
      this.#showFailure({ ...fault, problem: { code: 'project.unknown' } });
      notices.show({ code: 'api.message', params: { message: String(fault.problem.params?.message ?? '') } });
      void loadProjects(this.#context);
      void loadAgents(this.#context);
    }
  }

  /** A workspace that is open stays as it is when its project cannot be read again. */
  #showFailure(fault: BackendError): void {
    const { store, notices } = this.#context;
    if (store.state.status === 'reloading') {
      store.update((draft) => {
        draft.status = 'ready';
      });
      const { code, params } = fault.problem;
      this.#reloadProblem = { code: reloadFailed, params: { ...params, cause: code } };
      if (fault.kind !== 'unauthenticated') notices.show(this.#reloadProblem, 'error', true);
      return;
    }
    store.update((draft) => {
      draft.status = 'failed';
      draft.failure = fault.problem;
    });
  }
}
