import { ObservableValue } from '../../state/observable.ts';

/** One look into the browser's storage, or one change of it. */
export type StorageNote = { id: number; operation: 'read' | 'write' | 'remove'; key: string; value: string | null };

type Watched = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const maxValueLength = 50;
/** Of a token: enough to tell two apart, too little to use one. */
const maxTokenLength = 8;
const maxNotes = 100;

let isWatching = false;
let isTelling = false;

/** From now on each look into local storage is noted here and in the browser's console, whoever looks. */
export function watchStorage(): void {
  if (isWatching) return;
  isWatching = true;
  watchCalls(Storage.prototype, (storage) => storage === window.localStorage, note);
}

/** Has `heard` told of each look into the storages that `counts` names; what they answer stays what it was. */
export function watchCalls(
  prototype: Watched,
  counts: (storage: unknown) => boolean,
  heard: (operation: StorageNote['operation'], key: string, value: string | null) => void,
): void {
  const { getItem, setItem, removeItem } = prototype;
  prototype.getItem = function (key) {
    const value = getItem.call(this, key);
    if (counts(this)) heard('read', key, value);
    return value;
  };
  prototype.setItem = function (key, value) {
    setItem.call(this, key, value);
    if (counts(this)) heard('write', key, String(value));
  };
  prototype.removeItem = function (key) {
    removeItem.call(this, key);
    if (counts(this)) heard('remove', key, null);
  };
}

/** A stored value as it may be shown: cut to 50 characters, a token to its first 8. */
export function shownValue(key: string, value: string | null): string | null {
  if (value === null) return null;
  const maxLength = /token/i.test(key) ? maxTokenLength : maxValueLength;
  return value.length > maxLength ? `${value.slice(0, maxLength)}…` : value;
}

/** Newest last. */
export const storageNotes = new ObservableValue<readonly StorageNote[]>([]);

/** Notes that are not shown yet. */
let notes: readonly StorageNote[] = [];

function note(operation: StorageNote['operation'], key: string, value: string | null): void {
  const shown = shownValue(key, value);
  // biome-ignore lint/suspicious/noConsole: the notes are meant for the console
  console.debug(`[storage] ${operation} ${key}`, shown);
  notes = [...notes, { id: (notes.at(-1)?.id ?? 0) + 1, operation, key, value: shown }].slice(-maxNotes);
  // Pages look into the storage while they are drawn, and may not be drawn anew meanwhile.
  if (isTelling) return;
  isTelling = true;
  setTimeout(() => {
    isTelling = false;
    storageNotes.set(notes);
  });
}
