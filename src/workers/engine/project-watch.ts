import type { ServerMessage } from '../../../contract/realtime.ts';
import { isUnderWay } from '../../model/workspace-state.ts';
import { type Backend, type BackendFault, isMissing } from './backends/port.ts';
import { loadProjects } from './projects.ts';
import type { Store } from './store/store.ts';

type ProjectWatchOptions = {
  store: Store;
  backend: () => Backend | null;
  /** The name under which this tab writes. */
  tabId: () => string;
  /** Ends what goes on in the project. */
  onGone: () => void;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** How long runs that begin and end are not asked after when the list could not be read. */
const restAfterFailureMs = 5_000;

/** Watches over the project that is open: other tabs and devices may rename it, or remove it with all that hangs on it. */
export class ProjectWatch {
  readonly #options: ProjectWatchOptions;
  #gone = false;
  #reading = false;
  #again = false;
  #notBefore = 0;
  #looking = false;

  constructor(options: ProjectWatchOptions) {
    this.#options = options;
  }

  /** The project was removed, or let go of: it is not opened again, and nothing is saved to it. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Somebody did something to a project of the user's. */
  heard({ projectId, change, origin }: Extract<ServerMessage, { type: 'project_changed' }>): void {
    const { store, tabId } = this.#options;
    if (origin === tabId()) return;
    const { project, projects } = store.state;
    if (change === 'removed' && projectId === project?.id) this.removed();
    else if (projects.status === 'ready') void this.#readList();
    else if (projectId === project?.id) void this.look();
  }

  /** A run began or ended in one of the projects: the list says where one goes on. */
  heardOfRun(message: Extract<ServerMessage, { type: 'pipeline_update' }>): void {
    const { projects } = this.#options.store.state;
    if (projects.status !== 'ready' || isUnderWay(message) === projects.runningIds.includes(message.projectId)) return;
    // Others of the same project may go on when one ends.
    void this.#readList();
  }

  /** One reading at a time, once more where something happened meanwhile, and none for a while after one that failed. */
  async #readList(): Promise<void> {
    const { store, backend, now } = this.#options;
    const server = backend();
    this.#again = true;
    if (!server || this.#reading || now() < this.#notBefore) return;
    this.#reading = true;
    while (this.#again) {
      this.#again = false;
      if (!(await loadProjects(store, server))) continue;
      this.#notBefore = now() + restAfterFailureMs;
      break;
    }
    this.#reading = false;
  }

  /** Where something of the project was not found, the project itself may have gone: without a live connection nobody says so. */
  answered(fault: BackendFault | null): void {
    if (fault && isMissing(fault)) void this.look();
  }

  /** Asks the server whether the project is there, and what it is called by now. */
  async look(): Promise<void> {
    const { store, backend } = this.#options;
    const { project, status } = store.state;
    const server = backend();
    if (!project || status !== 'ready' || !server || this.#looking || this.#gone) return;
    this.#looking = true;
    const found = await server.openProject(project.id);
    this.#looking = false;
    if (this.#gone) return;
    if (!found.ok) {
      if (isMissing(found.fault)) this.removed();
      return;
    }
    const { name, description, status: stage } = found.value;
    store.update((draft) => {
      const shown = draft.project;
      if (shown && (shown.name !== name || shown.description !== description || shown.status !== stage)) draft.project = found.value;
    });
  }

  /** Another tab or device removed the project: its canvas stays on the screen, so that it can be kept as another project. */
  removed(): void {
    if (this.#gone) return;
    const { store, backend } = this.#options;
    this.leave();
    store.update((draft) => {
      draft.status = 'failed';
      draft.failure = { code: 'project.gone', params: { name: draft.project?.name ?? '' } };
    });
    const server = backend();
    if (server) void loadProjects(store, server);
  }

  /** Nothing more is asked of the project, and nothing saved to it. */
  leave(): void {
    this.#gone = true;
    this.#options.onGone();
  }
}
