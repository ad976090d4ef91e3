import { type Patch, produceWithPatches } from 'immer';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { emptyWorkspace, type WorkspaceState } from '../../../src/model/workspace-state.ts';
import type { Earlier, WorkspaceStore } from '../../../src/model/workspace-store.ts';
import { Observable } from '../../../src/state/observable.ts';

/** A store of one workspace that tests change. Its collections are updated in place, as those of the page's replica are. */
export class TestStore extends Observable<[WorkspaceState, readonly Patch[] | null, Earlier]> implements WorkspaceStore {
  #state: WorkspaceState;

  constructor(document: WorkspaceState['document']) {
    super();
    this.#state = { ...emptyWorkspace, document };
  }

  getState(): WorkspaceState {
    return this.#state;
  }

  change(edit: (draft: WorkspaceState) => void): void {
    const before = this.#state;
    const [next, patches] = produceWithPatches(before, edit);
    const nodes: Map<string, CanvasNode | undefined> = new Map();
    for (const { path } of patches) if (path[1] === 'nodes') nodes.set(String(path[2]), before.document.nodes[String(path[2])]);
    this.#state = next;
    this.notify(next, patches, { nodes, connections: new Map() });
  }
}
