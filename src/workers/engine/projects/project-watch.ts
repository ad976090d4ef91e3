import { singleFlight } from '../../../../async/single-flight.ts';
import type { Project } from '../../../../contract/project.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import { parallelSettingOf } from '../../../model/run/plan/parallel-limit.ts';
import { isUnderWay } from '../../../model/workspace-state.ts';
import { type BackendError, isMissing } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import { loadProjects } from './project-list.ts';

/** How long the list of projects is not read again after it could not be read. */
const pauseAfterFailureMs = 5_000;

/** Follows the open project and the list of projects: other tabs and devices may rename or remove them. */
export class ProjectWatch {
  readonly #context: EngineContext;
  #isGone = false;
  #notBefore = 0;
  /** Reads one at a time, and once more for messages that arrived during a read. */
  readonly #readList = singleFlight(
    async () => {
      const { now } = this.#context.environment;
      if (now() < this.#notBefore) return;
      if (await loadProjects(this.#context)) this.#notBefore = now() + pauseAfterFailureMs;
    },
    { rerun: true },
  );

  constructor(context: EngineContext) {
    this.#context = context;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  receive(message: ServerMessage): void {
    if (message.type === 'project_changed') this.#projectChanged(message);
    if (message.type === 'pipeline_update') this.#runChanged(message);
  }

  /** Called when a part of the project was not found: the project itself may be removed. Without a socket no message reports it. */
  receiveFault(fault: BackendError | null): void {
    if (fault && isMissing(fault)) void this.look();
  }

  /** Asks the server whether the project still exists, and shows its current name and status. */
  readonly look = singleFlight(async (): Promise<void> => {
    const { store, backend } = this.#context;
    const { project, status } = store.state;
    if (!project || status !== 'ready' || this.#isGone) return;
    const found = await backend.call('project.get', { params: { id: project.id } });
    if (this.#isGone) return;
    if (!found.ok) {
      if (isMissing(found.fault)) this.showRemoved();
      return;
    }
    const { name, description, status: stage } = found.value;
    store.update((draft) => {
      const shown = draft.project;
      if (!shown) return;
      const isShown = shown.name === name && shown.description === description && shown.status === stage;
      const hasSettings = settingsOf(shown) === settingsOf(found.value);
      if (!isShown || !hasSettings) draft.project = found.value;
    });
  });

  /** Another tab or device removed the project. Its canvas stays visible, so that the user can save it as another project. */
  showRemoved(): void {
    if (this.#isGone) return;
    this.leave();
    this.#context.store.update((draft) => {
      draft.status = 'failed';
      draft.failure = { code: 'project.gone', params: { name: draft.project?.name ?? '' } };
    });
    void loadProjects(this.#context);
  }

  /** Ends all reads and saves of the project. */
  leave(): void {
    this.#isGone = true;
    this.#context.notify('onProjectGone');
  }

  #projectChanged({ projectId, change, origin }: Extract<ServerMessage, { type: 'project_changed' }>): void {
    if (origin === this.#context.tabId()) return;
    const { project, projects } = this.#context.store.state;
    if (change === 'removed' && projectId === project?.id) this.showRemoved();
    else if (projects.status === 'ready') void this.#readList();
    else if (projectId === project?.id) void this.look();
  }

  /** A run began or ended in one of the projects: the list shows which have an active run. */
  #runChanged(message: Extract<ServerMessage, { type: 'pipeline_update' }>): void {
    const { projects } = this.#context.store.state;
    if (projects.status !== 'ready' || isUnderWay(message) === projects.runningIds.includes(message.projectId)) return;
    // Other runs of the same project may still be active: only the server knows.
    void this.#readList();
  }
}

function settingsOf(project: Project): string {
  const { holdHandOffs, testCommand, installs, fetchHosts, maxTurns, maxCalls } = project;
  return JSON.stringify([parallelSettingOf(project), holdHandOffs, testCommand, installs, fetchHosts, maxTurns, maxCalls]);
}
