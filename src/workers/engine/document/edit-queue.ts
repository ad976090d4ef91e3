import type { CommandResult, DocumentCommand } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import type { CommandOf } from '../engine-module.ts';

type Handler<T extends DocumentCommand['type']> = (command: CommandOf<T>) => Outcome<CommandResult> | Promise<Outcome<CommandResult>>;

/**
 * Carries out edits and steps of undo in the order in which they are given. An edit waits where its rules are loaded, or agents are made for it; what
 * is given meanwhile waits for it. An undo behind an edit that could not be made would take back another one: it does nothing, and says so.
 */
export class EditQueue {
  readonly #projectId: () => string | undefined;
  readonly #onChanged: () => void;
  #last: Promise<Outcome<CommandResult>> | null = null;
  #edits = 0;

  /** `onChanged`: edits wait now, or none does any more. */
  constructor(projectId: () => string | undefined, onChanged: () => void) {
    this.#projectId = projectId;
    this.#onChanged = onChanged;
  }

  /** Resolves when the newest command that waits is carried out; null if none waits. */
  get settled(): Promise<unknown> | null {
    return this.#last;
  }

  /** Whether an edit waits, which an undo would take back. */
  get hasEdits(): boolean {
    return this.#edits > 0;
  }

  /** The same handler, behind what waits. */
  inTurn<T extends DocumentCommand['type']>(handler: Handler<T>): Handler<T> {
    return (command) => {
      const outcome = this.#last ? this.#behind(this.#last, handler, command) : handler(command);
      return outcome instanceof Promise ? this.#add(outcome, isWalk(command)) : outcome;
    };
  }

  async #behind<T extends DocumentCommand['type']>(
    last: Promise<Outcome<CommandResult>>,
    handler: Handler<T>,
    command: CommandOf<T>,
  ): Promise<Outcome<CommandResult>> {
    const id = this.#projectId();
    const before = await last;
    if (this.#projectId() !== id) return failed('workspace.opening');
    return before.ok || !isWalk(command) ? handler(command) : failed('undo.afterFailed');
  }

  #add(outcome: Promise<Outcome<CommandResult>>, isOfUndo: boolean): Promise<Outcome<CommandResult>> {
    const own = outcome.finally(() => {
      if (this.#last === own) this.#last = null;
      if (!isOfUndo) this.#countEdits(-1);
    });
    this.#last = own;
    if (!isOfUndo) this.#countEdits(1);
    return own;
  }

  #countEdits(by: 1 | -1): void {
    const before = this.hasEdits;
    this.#edits += by;
    if (this.hasEdits !== before) this.#onChanged();
  }
}

/** Whether a command takes an edit back, or makes it again. */
function isWalk({ type }: DocumentCommand): boolean {
  return type === 'history.undo' || type === 'history.redo';
}
