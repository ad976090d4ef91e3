import { touchedAll, touchedBy } from '../../canvas/geometry/touched.ts';
import type { WorkspaceState } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { Observable } from '../../state/observable.ts';
import { useObserved } from '../../state/use-observed.ts';
import { useStore } from '../../workers/bridge/use-workspace.ts';
import { type CardTally, tallyAfter, tallyOf } from './card-tally.ts';

/** A part of what is counted of the cards; the component renders again only when that part is another value. */
export function useCardTally<T>(select: (tally: CardTally) => T): T {
  const follower = followerOf(useStore());
  return useObserved(follower, () => select(follower.tally));
}

/** What is counted of the cards now. */
export function readCardTally(store: WorkspaceStore): CardTally {
  return followerOf(store).tally;
}

const followers = new WeakMap<WorkspaceStore, TallyFollower>();

/** One for each store, which it follows as long as the store lives. */
function followerOf(store: WorkspaceStore): TallyFollower {
  const known = followers.get(store) ?? new TallyFollower(store);
  followers.set(store, known);
  return known;
}

class TallyFollower extends Observable {
  tally: CardTally;
  #state: WorkspaceState;

  constructor(store: WorkspaceStore) {
    super();
    this.#state = store.getState();
    this.tally = this.#countAll();
    store.subscribe((state, patches, earlier) => {
      const before = this.#state;
      this.#state = state;
      const { nodes } = patches ? touchedBy(patches) : touchedAll;
      const isNew = nodes === 'all' || before.agents.order !== state.agents.order;
      if (!isNew && nodes.size === 0) return;
      const tally = isNew
        ? this.#countAll()
        : tallyAfter(this.tally, { earlier: earlier.nodes, nodes: state.document.nodes }, this.#isKnown);
      if (tally === this.tally) return;
      this.tally = tally;
      this.notify();
    });
  }

  #countAll(): CardTally {
    return tallyOf(this.#state.document.nodes, this.#isKnown);
  }

  readonly #isKnown = (agentId: string): boolean => this.#state.agents.byId[agentId] !== undefined;
}
