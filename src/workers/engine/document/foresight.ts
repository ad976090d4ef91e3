import { castDraft } from 'immer';
import { isSame } from '../../../model/document/document-differences.ts';
import { movesOnly } from '../../../model/document/moves-only.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import { type Foreseen, foreseenStarters } from '../../../model/run/foreseen-starters.ts';
import type { participationOf } from '../../../model/run/participation.ts';
import type { RunStarters } from '../../../model/run/starters-of.ts';
import type { EngineContext } from '../engine-context.ts';
import { loadPart } from '../load-part.ts';
import { RunTeam } from '../run/run-team.ts';

type Rules = { participationOf: typeof participationOf };

/** Shows what takes part in the next run. Its rules are loaded when they are needed first: the demonstration needs none before an edit. */
export class Foresight {
  readonly #context: EngineContext;
  readonly #beginsAtOnce: boolean;
  #starter: Foreseen = {};
  /** Whether what takes part is known, but for moves of cards. */
  #isKnown = false;
  #rules: Rules | null = null;
  #isClosed = false;
  readonly #team: RunTeam;

  constructor(context: EngineContext, { beginsAtOnce }: { beginsAtOnce: boolean }) {
    this.#context = context;
    this.#team = new RunTeam(context);
    this.#beginsAtOnce = beginsAtOnce;
    this.#isKnown = !beginsAtOnce;
  }

  /** `change`: the edited records; none for another document. */
  changed(change: DocumentChange | undefined): void {
    // Dialogs go by their places.
    this.#isKnown &&= change ? movesOnly(change, ({ type }) => type !== 'dialog') : !this.#beginsAtOnce;
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
    if (this.#rules) this.#compute(this.#rules);
    else void loadPart(this.#context, () => import('../../../model/run/participation.ts')).then((rules) => this.#loaded(rules));
  }

  close(): void {
    this.#isClosed = true;
    this.#team.close();
  }

  #loaded(rules: Rules | null): void {
    this.#rules = rules;
    if (rules && !this.#isClosed) this.#compute(rules);
  }

  #compute({ participationOf }: Rules): void {
    const { document, state } = this.#context.store;
    this.#isKnown = true;
    this.#team.soon(() => this.#starters());
    const next = participationOf(document, this.#starters());
    if (isSame(next, state.participation)) return;
    this.#context.store.update((draft) => {
      draft.participation = castDraft(next);
    });
  }

  #starters(): RunStarters {
    const { document, state } = this.#context.store;
    return foreseenStarters(document, this.#starter, state.run.execution?.dialogNodeId);
  }
}
