import { z } from 'zod';
import { type CanvasPatch, canvasPatch } from '../../../../contract/canvas.ts';
import type { Journal, JournalHead, JournalKey, Journals, TabLocks } from '../environment.ts';

/** A journal that this tab has taken over, its edits as the server takes them. */
export type AdoptedJournal = { key: JournalKey; head: JournalHead; edits: CanvasPatch[] };

export type Adoption = {
  journals: AdoptedJournal[];
  /** Lets go of the names of tabs that are gone, their journals too when what they held is `kept` in this tab's own. */
  end(kept: boolean): Promise<void>;
};

/**
 * Takes over this tab's own journal and those of tabs that are gone. Of several tabs that open at a time one gets each: it
 * holds the gone tab's name until it has what the journal held. Throws when the disk refuses to be read.
 */
export async function adoptJournals(
  journals: Journals,
  locks: TabLocks,
  { userId, projectId, tabId }: JournalKey,
  warn: (text: string) => void,
): Promise<Adoption> {
  const live = await locks.held();
  const gone =
    live === null ? [] : (await journals.read(userId, projectId)).filter(({ key }) => key.tabId !== tabId && !live.has(key.tabId));
  const names: (() => void)[] = [];
  const claimed = new Set([tabId]);
  for (const { key } of gone) {
    const release = await locks.hold(key.tabId, 0);
    if (!release) continue;
    names.push(release);
    claimed.add(key.tabId);
  }
  // Read once more: whoever held a name before may have taken its journal with it.
  const adopted = (await journals.read(userId, projectId))
    .filter(({ key }) => claimed.has(key.tabId))
    .map((journal) => sound(journal, warn));
  return {
    journals: adopted,
    async end(kept) {
      if (kept) for (const { key } of adopted) if (key.tabId !== tabId) await journals.remove(key).catch(() => {});
      for (const release of names) release();
    },
  };
}

const journalHead = z.object({
  baseVersion: z.number().int(),
  saving: z.object({ idempotencyKey: z.string(), baseVersion: z.number().int(), patches: z.array(canvasPatch) }).nullable(),
});

/** No version of the server's: what was made on it has to be compared. */
const unknownVersion = -1;

/** What can be read of a journal. A part that makes no sense is left out, so that it cannot keep the project closed. */
function sound({ key, head, edits }: Journal, warn: (text: string) => void): AdoptedJournal {
  const readHead = journalHead.safeParse(head);
  const readEdits = edits.flatMap((edit) => {
    const patch = canvasPatch.safeParse(asCanvasPatch(edit));
    return patch.success ? [patch.data] : [];
  });
  if (!readHead.success || readEdits.length < edits.length)
    warn(`The journal of tab ${key.tabId} is damaged; what can be read of it is kept`);
  return { key, head: readHead.success ? readHead.data : { baseVersion: unknownVersion, saving: null }, edits: readEdits };
}

function asCanvasPatch(edit: Partial<Journal['edits'][number]> | null): unknown {
  const { collection, id, value } = edit ?? {};
  return value === null ? { op: 'remove', collection, id } : { op: 'set', collection, id, value };
}
