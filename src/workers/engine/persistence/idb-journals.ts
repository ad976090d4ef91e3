import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { UndoExtent } from '../../../model/document/undo-stack.ts';
import type { Journal, JournalEdit, JournalHead, JournalKey, Journals } from '../environment/environment.ts';

type Tab = [userId: string, projectId: string, tabId: string];

interface JournalSchema extends DBSchema {
  heads: { key: Tab; value: JournalHead };
  edits: { key: [...Tab, collection: string, id: string]; value: JournalEdit };
  undo: { key: Tab; value: UndoExtent };
  steps: { key: [...Tab, number: number]; value: unknown };
}

/** Opens the journals in IndexedDB. Throws where the browser denies storage. */
export async function openIdbJournals(name = 'artel-journal'): Promise<Journals> {
  const db = await openDB<JournalSchema>(name, 2, {
    upgrade(database, from) {
      const stores = from < 1 ? (['heads', 'edits', 'undo', 'steps'] as const) : (['undo', 'steps'] as const);
      for (const store of stores) database.createObjectStore(store);
    },
    blocking: () => db.close(),
  });
  return {
    async write(key, head, edits, undo) {
      const work = db.transaction(['heads', 'edits', 'undo', 'steps'], 'readwrite');
      const writes: Promise<unknown>[] = [work.objectStore('heads').put(head, tab(key))];
      for (const edit of edits) writes.push(work.objectStore('edits').put(edit, [...tab(key), edit.collection, edit.id]));
      if (undo) writes.push(work.objectStore('undo').put(undo.extent, tab(key)));
      if (undo?.put) {
        const steps = work.objectStore('steps');
        const { from, to } = undo.extent;
        writes.push(steps.delete(IDBKeyRange.bound(tab(key), [...tab(key), from], false, true)));
        writes.push(steps.delete(IDBKeyRange.bound([...tab(key), to], [...tab(key), []])));
        writes.push(steps.put(undo.put.change, [...tab(key), undo.put.number]));
      }
      await Promise.all([...writes, work.done]);
    },

    async replace(key, head, edits) {
      const work = db.transaction(['heads', 'edits'], 'readwrite');
      const store = work.objectStore('edits');
      const writes: Promise<unknown>[] = [work.objectStore('heads').put(head, tab(key)), store.delete(below(tab(key)))];
      for (const edit of edits) writes.push(store.put(edit, [...tab(key), edit.collection, edit.id]));
      await Promise.all([...writes, work.done]);
    },

    async acknowledge(key, head, saved) {
      const work = db.transaction(['heads', 'edits'], 'readwrite');
      const edits = work.objectStore('edits');
      const removals = saved.map(async ({ collection, id, revision }) => {
        const at: [...Tab, string, string] = [...tab(key), collection, id];
        const edit = await edits.get(at);
        if (edit && edit.revision <= revision) await edits.delete(at);
      });
      await Promise.all([work.objectStore('heads').put(head, tab(key)), ...removals, work.done]);
    },

    async read(userId, projectId) {
      return readJournals(db, userId, projectId);
    },

    async remove(key) {
      const work = db.transaction(['heads', 'edits', 'undo', 'steps'], 'readwrite');
      await Promise.all([
        work.objectStore('heads').delete(tab(key)),
        work.objectStore('edits').delete(below(tab(key))),
        work.objectStore('undo').delete(tab(key)),
        work.objectStore('steps').delete(below(tab(key))),
        work.done,
      ]);
    },

    async readUndo(key) {
      const work = db.transaction(['undo', 'steps']);
      const [extent, steps] = await Promise.all([
        work.objectStore('undo').get(tab(key)),
        work.objectStore('steps').getAll(below(tab(key))),
        work.done,
      ]);
      return extent ? { extent, steps } : null;
    },

    async replaceUndo(key, undo) {
      const work = db.transaction(['undo', 'steps'], 'readwrite');
      const steps = work.objectStore('steps');
      const writes: Promise<unknown>[] = [work.objectStore('undo').delete(tab(key)), steps.delete(below(tab(key)))];
      if (undo) writes.push(work.objectStore('undo').put(undo.extent, tab(key)));
      undo?.steps.forEach((change, at) => {
        writes.push(steps.put(change, [...tab(key), undo.extent.from + at]));
      });
      await Promise.all([...writes, work.done]);
    },

    close: () => db.close(),
  };
}

async function readJournals(db: IDBPDatabase<JournalSchema>, userId: string, projectId: string): Promise<Journal[]> {
  const work = db.transaction(['heads', 'edits']);
  const heads = work.objectStore('heads');
  const tabs = await heads.getAllKeys(below([userId, projectId]));
  return Promise.all(
    tabs.map(async (at) => ({
      key: { userId, projectId, tabId: at[2] },
      head: (await heads.get(at)) as JournalHead,
      edits: await work.objectStore('edits').getAll(below(at)),
    })),
  );
}

function tab({ userId, projectId, tabId }: JournalKey): Tab {
  return [userId, projectId, tabId];
}

/** Every key that begins with these parts: an array sorts after any text. */
function below(parts: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...parts], [...parts, []]);
}
