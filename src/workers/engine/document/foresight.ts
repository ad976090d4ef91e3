import { castDraft } from 'immer';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isSame } from '../../../model/document/document-differences.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import type { Foreseen } from '../../../model/run/foreseen-starters.ts';
import type { Store } from '../store/store.ts';

type Rules = {
  participation: typeof import('../../../model/run/participation.ts');
  starters: typeof import('../../../model/run/foreseen-starters.ts');
};

/** Shows what takes part in the next run. Its rules are loaded when they are needed first: the demonstration needs none before an edit. */
export class Foresight {
  readonly #store: Store;
  readonly #beginsAtOnce: boolean;
  #starter: Foreseen = {};
  /** Whether what takes part is known, but for moves of cards. */
  #isKnown = false;
  #rules: Rules | null = null;
  #isClosed = false;

  constructor(store: Store, { beginsAtOnce }: { beginsAtOnce: boolean }) {
    this.#store = store;
    this.#beginsAtOnce = beginsAtOnce;
    this.#isKnown = !beginsAtOnce;
  }

  /** `change`: the edited records; none for another document. */
  changed(change: DocumentChange | undefined): void {
    this.#isKnown &&= change ? movesCards(change) : !this.#beginsAtOnce;
  }

  /** Says which dialog or start card the next run begins with. */
  foresee(starter: Foreseen): void {
    this.#starter = starter;
    this.#isKnown = false;
  }

  show(): void {
    const { state, working } = this.#store;
    const { dialogNodeId } = state.participation;
    // Moves change the target of a dialog without links alone.
    if (this.#isKnown && (dialogNodeId === null || working.linksOf(dialogNodeId).size > 0)) return;
    if (this.#rules) this.#compute(this.#rules);
    else void loadRules().then((rules) => this.#loaded(rules));
  }

  close(): void {
    this.#isClosed = true;
  }

  #loaded(rules: Rules | null): void {
    this.#rules = rules;
    if (rules && !this.#isClosed) this.#compute(rules);
  }

  #compute({ participation, starters }: Rules): void {
    const { document, state } = this.#store;
    this.#isKnown = true;
    const begun = starters.foreseenStarters(document, this.#starter, state.run.execution?.dialogNodeId);
    const next = participation.participationOf(document, begun);
    if (isSame(next, state.participation)) return;
    this.#store.update((draft) => {
      draft.participation = castDraft(next);
    });
  }
}

/** Null if they cannot be loaded: the next edit tries again. */
async function loadRules(): Promise<Rules | null> {
  const parts = Promise.all([import('../../../model/run/participation.ts'), import('../../../model/run/foreseen-starters.ts')]);
  return parts.then(
    ([participation, starters]) => ({ participation, starters }),
    () => null,
  );
}

/** Whether a change moves cards and does nothing else. Dialogs go by their places. */
function movesCards({ patches, inverse }: DocumentChange): boolean {
  return patches.every(({ op, path, value: after }, at) => {
    const before: Partial<CanvasNode> | undefined = inverse[at]?.value;
    if (op !== 'replace' || path[0] !== 'nodes' || !before || after.type === 'dialog') return false;
    return isSame({ ...before, x: 0, y: 0 }, { ...after, x: 0, y: 0 });
  });
}
