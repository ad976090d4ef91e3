import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openIdbJournals } from '../../../src/workers/engine/persistence/idb-journals.ts';
import type { Browser } from './tab.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A browser with an empty disk and no open tab. */
export function freshBrowser(): Browser {
  globalThis.indexedDB = new IDBFactory();
  return { clock: new VirtualClock(), live: new Set(), journals: () => openIdbJournals() };
}
