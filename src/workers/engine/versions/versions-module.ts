import type { Patch } from 'immer';
import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { VersionComparison } from '../../../../contract/canvas-version.ts';
import type { VersionCommand } from '../../../model/commands.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { type Comparison, linkDifference, nodeDifference } from '../../../model/versions/comparison.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { loadAgents } from '../agents/agent-list.ts';
import { refusal } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { DocumentModule } from '../document/document-module.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import type { CanvasPersistence } from '../persistence/canvas-persistence.ts';
import { loadProjects } from '../projects/project-list.ts';

/** The most saves before a comparison: edits that go on do not keep it waiting. */
const maxSaves = 3;

/** What changed while the server compared: the records as they were before their first edit, and whether the canvas was replaced. */
type Meanwhile = {
  nodes: Map<string, CanvasNode | undefined>;
  connections: Map<string, Connection | undefined>;
  isReplaced: boolean;
};

/** Versions of the canvas: marks, the comparison with one of them, which follows each edit, and restoring one. */
export function createVersionsModule(
  context: EngineContext,
  document: Pick<DocumentModule, 'handlers'>,
  persistence: Pick<CanvasPersistence, 'flush'>,
): EngineModule<VersionCommand['type']> {
  const { store, backend } = context;
  const comparing = new VersionComparing(store, backend, persistence);
  /** Calls `act` for the open project. `isOpen`: another project may be opened, or this one removed, while the server answers. */
  const inProject = async <T>(act: (id: string, isOpen: () => boolean) => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    const id = store.state.project?.id;
    return id === undefined ? failed('workspace.opening') : act(id, () => store.state.status === 'ready' && store.state.project?.id === id);
  };

  /** Saves what waits: the canvas as it is has no version on the server before. Returns the problem, if any. */
  const saveFirst = async (isOpen: () => boolean): Promise<Outcome<never> | null> => {
    await persistence.flush();
    if (!isOpen()) return failed('workspace.opening');
    const { status } = store.state.save;
    return status === 'saved' || status === 'failed' ? null : failed('version.unsaved');
  };

  return {
    handlers: {
      'version.compare': ({ version }) => inProject((id, isOpen) => comparing.compare(id, version, isOpen)),
      'version.closeComparison': () => {
        comparing.close();
        return done;
      },
      'version.restore': ({ version }) =>
        inProject(async (id, isOpen) => {
          const answer = await backend.call('project.version', { params: { id, version } });
          if (!isOpen()) return failed('workspace.opening');
          if (!answer.ok) return refusal(answer.fault);
          const { nodes, connections } = answer.value;
          return document.handlers['canvas.restore']({ type: 'canvas.restore', document: { nodes, connections } });
        }),
      'version.mark': ({ version, name, note }) =>
        inProject(async (id, isOpen) => {
          const problem = version === null ? await saveFirst(isOpen) : null;
          if (problem) return problem;
          const { save } = store.state;
          const answer = await backend.call('project.putMark', { params: { id, version: version ?? save.version }, body: { name, note } });
          return answer.ok ? { ok: true, value: { mark: answer.value } } : refusal(answer.fault);
        }),
      'version.saveTeam': ({ name, note }) =>
        inProject(async (id, isOpen) => {
          const problem = await saveFirst(isOpen);
          if (problem) return problem;
          const answer = await callOnce(context, 'teamVersion.create', { params: { id }, body: { name, note } });
          return answer.ok ? done : refusal(answer.fault);
        }),
      'version.restoreTeam': ({ version, seen }) =>
        inProject(async (id, isOpen) => {
          if (isLocked(store.state.run)) return failed('run.locked');
          const problem = await saveFirst(isOpen);
          if (problem) return problem;
          const team = await backend.call('teamVersion.get', { params: { id, version } });
          if (!isOpen()) return failed('workspace.opening');
          if (!team.ok) return refusal(team.fault);
          const restored = await callOnce(context, 'teamVersion.restore', { params: { id, version }, body: { seen } });
          if (!isOpen()) return failed('workspace.opening');
          if (!restored.ok) return refusal(restored.fault);
          const { nodes, connections } = team.value.document;
          const [canvas] = await Promise.all([
            document.handlers['canvas.restore']({ type: 'canvas.restore', document: { nodes, connections } }),
            loadAgents(context, { quietly: true }),
            loadProjects(context),
          ]);
          return canvas.ok ? { ok: true, value: { ...canvas.value, teamBefore: restored.value.before } } : canvas;
        }),
      'version.unmark': ({ version }) =>
        inProject(async (id) => {
          const answer = await backend.call('project.removeMark', { params: { id, version } });
          return answer.ok ? done : refusal(answer.fault);
        }),
    },
    onProjectGone: () => comparing.close(),
  };
}

/** The comparison that is shown, or that the server makes. */
class VersionComparing {
  readonly #store: EngineContext['store'];
  readonly #backend: EngineContext['backend'];
  readonly #persistence: Pick<CanvasPersistence, 'flush'>;
  /** Counts the comparisons that were asked for: an answer to an earlier one comes too late. */
  #asked = 0;
  /** Set while the server compares. */
  #meanwhile: Meanwhile | null = null;

  constructor(store: EngineContext['store'], backend: EngineContext['backend'], persistence: Pick<CanvasPersistence, 'flush'>) {
    this.#store = store;
    this.#backend = backend;
    this.#persistence = persistence;
    store.onDocumentChanged = (change) => this.#documentChanged(change);
  }

  async compare(projectId: string, version: number, isOpen: () => boolean): Promise<Outcome> {
    this.#asked += 1;
    const turn = this.#asked;
    for (;;) {
      await this.#saveAll();
      if (!isOpen()) return failed('workspace.opening');
      const { save } = this.#store.state;
      if (save.status === 'conflict') return failed('version.conflict');
      let compared: VersionComparison = { left: version, right: save.version, nodes: [], connections: [] };
      const edits: Meanwhile = { nodes: new Map(), connections: new Map(), isReplaced: false };
      if (version !== save.version) {
        this.#meanwhile = edits;
        const answer = await this.#backend.call('project.compareVersions', {
          params: { id: projectId },
          query: { left: version, right: save.version },
        });
        if (this.#meanwhile === edits) this.#meanwhile = null;
        if (!isOpen()) return failed('workspace.opening');
        if (!answer.ok) return refusal(answer.fault);
        compared = answer.value;
      }
      if (turn !== this.#asked) return done;
      // The canvas of another tab has taken the place of the one that was compared.
      if (edits.isReplaced) continue;
      this.#store.update((draft) => {
        draft.comparison = { version, differences: differencesFrom(compared, edits, this.#store.working) };
      });
      return done;
    }
  }

  close(): void {
    this.#asked += 1;
    this.#hide();
  }

  #documentChanged(change: DocumentChange | null): void {
    if (change === null) {
      if (this.#meanwhile) this.#meanwhile.isReplaced = true;
      this.#hide();
      return;
    }
    if (this.#meanwhile) noteEdit(this.#meanwhile, change);
    if (this.#store.state.comparison !== null) this.#follow(change);
  }

  #hide(): void {
    if (this.#store.state.comparison === null) return;
    this.#store.update((draft) => {
      draft.comparison = null;
    });
  }

  /** Compares the edited records again. A record that did not differ before was in that version as it was before the edit. */
  #follow({ inverse }: DocumentChange): void {
    const { working, state } = this.#store;
    const compared = state.comparison?.differences;
    if (!compared) return;
    this.#store.update(({ comparison }) => {
      const differences = comparison?.differences as Comparison | undefined;
      if (!differences) return;
      for (const { path, value } of inverse as (Patch & { value?: never })[]) {
        const [collection, id] = path as [keyof Comparison, string];
        const known = compared[collection][id];
        const before = known ? (known.kind === 'added' ? undefined : known.before) : value;
        if (collection === 'nodes') put(differences.nodes, id, nodeDifference(before as CanvasNode | undefined, working.node(id)));
        else put(differences.connections, id, linkDifference(before as Connection | undefined, working.link(id)));
      }
    });
  }

  /** Saves all edits, also those that are made during a save: the server compares the canvas that it has. */
  async #saveAll(): Promise<void> {
    for (let saves = 0; saves < maxSaves; saves += 1) {
      await this.#persistence.flush();
      const { status } = this.#store.state.save;
      if (status !== 'pending' && status !== 'saving') return;
    }
  }
}

/** The server compares saved versions: edits that are made meanwhile count too. A record that did not differ was in both as before its first edit. */
function differencesFrom(compared: VersionComparison, edits: Meanwhile, working: EngineContext['store']['working']): Comparison {
  const differences: Comparison = { nodes: {}, connections: {} };
  const nodes = new Map([...edits.nodes, ...compared.nodes.map(({ id, left }) => [id, left] as const)]);
  for (const [id, left] of nodes) put(differences.nodes, id, nodeDifference(left, working.node(id)));
  const links = new Map([...edits.connections, ...compared.connections.map(({ id, left }) => [id, left] as const)]);
  for (const [id, left] of links) put(differences.connections, id, linkDifference(left, working.link(id)));
  return differences;
}

/** Keeps the records of an edit as they were before their first one. */
function noteEdit({ nodes, connections }: Meanwhile, { inverse }: DocumentChange): void {
  for (const { path, value } of inverse as (Patch & { value?: never })[]) {
    const [collection, id] = path as [keyof Comparison, string];
    const known: Map<string, unknown> = collection === 'nodes' ? nodes : connections;
    if (!known.has(id)) known.set(id, value);
  }
}

function put<T>(records: Record<string, T>, id: string, difference: T | null): void {
  if (difference) records[id] = difference;
  else delete records[id];
}
