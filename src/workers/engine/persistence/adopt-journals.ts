import { z } from 'zod';
import { type CanvasPatch, canvasPatch } from '../../../../contract/canvas.ts';
import type { Journal, JournalHead, JournalKey, Journals, TabLocks } from '../environment/environment.ts';

/** A journal that this tab has adopted, with its edits in the server's form. */
export type AdoptedJournal = { key: JournalKey; head: JournalHead; edits: CanvasPatch[] };

export type Adoption = {
  journals: AdoptedJournal[];
  /** Releases the names of closed tabs. With `kept` it removes their journals, since this tab's journal has their edits. */
  end(kept: boolean): Promise<void>;
};

/**
 * Adopts this tab's journal and those of closed tabs. When several tabs open at the same time, one of them gets each journal. It holds
 * the closed tab's name until its own journal has the edits. Throws when the disk cannot be read.
 */
export async function adoptJournals(
  journals: Journals,
  locks: TabLocks,
  { userId, projectId, tabId }: JournalKey,
  warn: (text: string) => void,
): Promise<Adoption> {
  const live = await locks.openTabs();
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
  // Read again: the tab that held a name until now may have removed its journal.
  const adopted = (await journals.read(userId, projectId))
    .filter(({ key }) => claimed.has(key.tabId))
    .map((journal) => checkedJournal(journal, warn));
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

/** No version of the server's: edits that were made on it are compared with the server's canvas. */
const unknownVersion = -1;

/** Returns the readable part of a journal. Damaged parts are skipped, so that the project opens. */
function checkedJournal({ key, head, edits }: Journal, warn: (text: string) => void): AdoptedJournal {
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
