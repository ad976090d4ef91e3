import { isDialog } from '../../../../rules/card.ts';
import { movesOnly } from '../../../model/document/moves-only.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import type { Foreseen } from '../../../model/run/starters/foreseen-starters.ts';
import type { EngineContext } from '../engine-context.ts';
import { loadPart } from '../load-part.ts';
import type { NextRun } from './next-run.ts';

/** Shows what takes part in the next run. Its rules are loaded when they are needed first: the demonstration needs none before an edit. */
export class Foresight {
  readonly #context: EngineContext;
  readonly #beginsAtOnce: boolean;
  #starter: Foreseen = {};
  /** Whether what takes part is known, but for moves of cards. */
  #isKnown = false;
  #nextRun: NextRun | null = null;
  #isClosed = false;

  constructor(context: EngineContext, { beginsAtOnce }: { beginsAtOnce: boolean }) {
    this.#context = context;
    this.#beginsAtOnce = beginsAtOnce;
    this.#isKnown = !beginsAtOnce;
  }

  /** `change`: the edited records; none for another document. */
  changed(change: DocumentChange | undefined): void {
    // Dialogs go by their places.
    this.#isKnown &&= change ? movesOnly(change, (node) => !isDialog(node)) : !this.#beginsAtOnce;
  }

  /** Says which dialog or start card the next run begins with. */
  foresee(starter: Foreseen): void {
    this.#starter = starter;
    this.#isKnown = false;
  }

  show(): void {
    const { state, working } = this.#context.store;
    const { dialogNodeId } = state.participation;
    // Moves change the target of a dialog without links alone.
    if (this.#isKnown && (dialogNodeId === null || working.linksOf(dialogNodeId).size > 0)) return;
    if (this.#nextRun) this.#compute(this.#nextRun);
    else void loadPart(this.#context, () => import('./next-run.ts')).then((part) => part && this.#loaded(new part.NextRun(this.#context)));
  }

  close(): void {
    this.#isClosed = true;
    this.#nextRun?.close();
  }

  #loaded(nextRun: NextRun): void {
    this.#nextRun ??= nextRun;
    if (!this.#isClosed) this.#compute(this.#nextRun);
  }

  #compute(nextRun: NextRun): void {
    this.#isKnown = true;
    nextRun.show(this.#starter);
  }
}
