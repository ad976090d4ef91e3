import { ObservableValue } from '../../state/observable.ts';

/** One read or change of the browser's storage. */
type StorageNote = { id: number; operation: 'read' | 'write' | 'remove'; key: string; value: string | null };

type Watched = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const maxValueLength = 50;
/** The shown length of a token: enough to tell two apart, too short to use one. */
const maxTokenLength = 8;
const maxNotes = 100;

let isWatching = false;
let isPublishing = false;

/** Starts logging each access to local storage, here and in the browser's console. */
export function watchStorage(): void {
  if (isWatching) return;
  isWatching = true;
  watchCalls(Storage.prototype, (storage) => storage === window.localStorage, note);
}

/** Calls `heard` for each access to the storages that `counts` accepts. The calls' results stay the same. */
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

/** Shortens a stored value for display: to 50 characters, a token to its first 8. */
export function shownValue(key: string, value: string | null): string | null {
  if (value === null) return null;
  const maxLength = /token/i.test(key) ? maxTokenLength : maxValueLength;
  return value.length > maxLength ? `${value.slice(0, maxLength)}…` : value;
}

/** The log, newest last. */
export const storageNotes = new ObservableValue<readonly StorageNote[]>([]);

/** All log entries, including those not yet published. */
let notes: readonly StorageNote[] = [];

function note(operation: StorageNote['operation'], key: string, value: string | null): void {
  const shown = shownValue(key, value);
  // biome-ignore lint/suspicious/noConsole: the log is meant for the console
  console.debug(`[storage] ${operation} ${key}`, shown);
  notes = [...notes, { id: (notes.at(-1)?.id ?? 0) + 1, operation, key, value: shown }].slice(-maxNotes);
  // Components read the storage while they render, when state must not change: the log is published afterwards.
  if (isPublishing) return;
  isPublishing = true;
  setTimeout(() => {
    isPublishing = false;
    storageNotes.set(notes);
  });
}
