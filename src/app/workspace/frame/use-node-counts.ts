import { touchedAll, touchedBy } from '../../../canvas/geometry/touched.ts';
import type { WorkspaceState } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { memoizeByKey } from '../../../state/memoize-by-key.ts';
import { Observable } from '../../../state/observable.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { countNodes, type NodeCounts, updateNodeCounts } from './node-counts.ts';

/** Returns a part of the node counts. The component renders again only when that part changes. */
export function useNodeCounts<T>(select: (counts: NodeCounts) => T): T {
  const counter = counterOf(useStore());
  return useObserved(counter, () => select(counter.counts));
}

/** Returns the current node counts. */
export function readNodeCounts(store: WorkspaceStore): NodeCounts {
  return counterOf(store).counts;
}

/** Returns the store's only counter. It follows the store as long as the store exists. */
const counterOf = memoizeByKey((store: WorkspaceStore) => new NodeCounter(store));

class NodeCounter extends Observable {
  counts: NodeCounts;
  #state: WorkspaceState;

  constructor(store: WorkspaceStore) {
    super();
    this.#state = store.getState();
    this.counts = this.#countAll();
    store.subscribe((state, patches, earlier) => {
      const before = this.#state;
      this.#state = state;
      const { nodes, links } = patches ? touchedBy(patches) : touchedAll;
      const isNew = nodes === 'all' || links === 'all' || before.agents.order !== state.agents.order;
      if (!isNew && nodes.size + links.size === 0) return;
      const counts = isNew ? this.#countAll() : updateNodeCounts(this.counts, { earlier, document: state.document }, this.#isKnown);
      if (counts === this.counts) return;
      this.counts = counts;
      this.notify();
    });
  }

  #countAll(): NodeCounts {
    return countNodes(this.#state.document, this.#isKnown);
  }

  readonly #isKnown = (agentId: string): boolean => this.#state.agents.byId[agentId] !== undefined;
}
