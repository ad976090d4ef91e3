import { z } from 'zod';
import { singleFlight } from '../../../../async/single-flight.ts';
import { canvasNode, connection } from '../../../../contract/canvas.ts';
import type { KeptUndo } from '../../../model/document/undo-stack.ts';
import type { Environment, JournalKey, Journals } from '../environment/environment.ts';
import { type Adoption, adoptJournals } from './adopt-journals.ts';
import { JournalWriter } from './journal-writer.ts';

/** How long the page before a reload may take to release the tab's name. */
const tabWaitMs = 1_500;

/** Owns the tab's name among the live tabs of its browser, and the journal of that name. */
export class JournalOwner {
  readonly #environment: Pick<Environment, 'locks' | 'newId' | 'openJournals' | 'warn'>;
  readonly #waitMs: number;
  #tabId: string;
  #release: (() => void) | null = null;
  #journals: Journals | null = null;
  #adoption: Adoption | null = null;
  #key: JournalKey | null = null;

  constructor(environment: Pick<Environment, 'locks' | 'newId' | 'openJournals' | 'warn'>, tabId: string, waitMs = tabWaitMs) {
    this.#environment = environment;
    this.#waitMs = waitMs;
    this.#tabId = tabId;
  }

  get tabId(): string {
    return this.#tabId;
  }

  /** Whether this tab owns the name exclusively. */
  get hasName(): boolean {
    return this.#release !== null;
  }

  /** Holds the tab's name. A duplicated tab begins with the name of its original, and gets a name of its own. */
  readonly claimName = singleFlight(async (): Promise<void> => {
    if (this.#release) return;
    const { locks, newId } = this.#environment;
    this.#release = await locks.hold(this.#tabId, this.#waitMs);
    if (this.#release) return;
    this.#tabId = newId();
    this.#release = await locks.hold(this.#tabId, 0);
  });

  /** Adopts the project's journals that belong to this tab or to no open tab; null where storage is denied or cannot be read. */
  async adopt(userId: string, projectId: string): Promise<Adoption | null> {
    const { locks, openJournals, warn } = this.#environment;
    this.#key = { userId, projectId, tabId: this.#tabId };
    this.#journals ??= await openJournals().catch(() => null);
    this.#adoption = this.#journals && (await adoptJournals(this.#journals, locks, this.#key, warn).catch(() => null));
    return this.#adoption;
  }

  /** Reads this tab's undo stack of the adopted project; null if there is none or it cannot be parsed. */
  async keptUndo(): Promise<KeptUndo | null> {
    if (!this.#key || !this.#journals || !this.#adoption) return null;
    return readKeptUndo(await this.#journals.readUndo(this.#key).catch(() => null));
  }

  /** Writes the adopted journal. A journal that could not be read is not overwritten. */
  writer(onHealth: (works: boolean) => void): JournalWriter {
    if (!this.#key) throw new Error('No journal was asked for');
    return new JournalWriter(this.#adoption && this.#journals, this.#key, onHealth);
  }

  close(): void {
    this.#journals?.close();
    this.#release?.();
  }
}

const record = z.union([
  z.object({ op: z.enum(['add', 'replace']), path: z.tuple([z.literal('nodes'), z.string()]), value: canvasNode }),
  z.object({ op: z.enum(['add', 'replace']), path: z.tuple([z.literal('connections'), z.string()]), value: connection }),
  z.object({ op: z.literal('remove'), path: z.tuple([z.enum(['nodes', 'connections']), z.string()]) }),
]);
const number = z.number().int();
const made = z.object({ id: z.string(), copyOf: z.string().exactOptional(), former: z.array(z.string()).exactOptional() });
const keptUndo = z.object({
  extent: z.object({ from: number, to: number, position: number }),
  steps: z.array(z.object({ patches: z.array(record), inverse: z.array(record), made: z.array(made).exactOptional() })),
});

/** Parses the undo stack of a journal; null if there is none, or a part of it is invalid. */
function readKeptUndo(kept: unknown): KeptUndo | null {
  const read = keptUndo.safeParse(kept);
  return read.success ? read.data : null;
}
