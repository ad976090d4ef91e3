import { useEffect, useMemo } from 'react';
import { browserStorage } from '../../../canvas/overlay/browser-storage.ts';
import { type UserHue, userHues } from '../../../model/agents/roles.ts';
import { ObservableValue } from '../../../state/observable.ts';

/** The kinds of users; there is one of each. W2.11 */
export const userKeys = ['tester', 'developer', 'project-manager', 'assistant'] as const;
export type UserKey = (typeof userKeys)[number];

/** A user card that the user has added to the menu: `id` identifies it as the key does for a known one. */
export type AddedUser = { id: string; name: string; role: UserKey; hue: UserHue };

/** The longest id and name of an added user. */
const maxIdLength = 200;
export const maxUserNameLength = 120;

/**
 * The user cards added to a project's menu, stored in this browser only. Where the storage is full or refused, or without a project, they
 * last as long as the page. R30
 */
export class AddedUsers extends ObservableValue<readonly AddedUser[]> {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'> | null;
  readonly #key: string | null;
  /** The storage refused the last change. */
  #unwritten = false;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'> | null, projectId: string | null) {
    super([]);
    this.#storage = storage;
    this.#key = projectId === null ? null : `users:${projectId}`;
    this.set(this.#stored() ?? this.get());
  }

  add(user: AddedUser): void {
    this.#change((users) => [...users, user]);
  }

  remove(id: string): void {
    this.#change((users) => users.filter((user) => user.id !== id));
  }

  /** Handles another tab's change of a key in the storage; null means all keys. */
  heard(key: string | null): void {
    if (key === null || key === this.#key) this.set(this.#stored() ?? this.get());
  }

  /** Changes the current contents of the storage, so that other tabs' additions are kept. */
  #change(change: (users: readonly AddedUser[]) => readonly AddedUser[]): void {
    const users = change(this.#stored() ?? this.get());
    try {
      if (this.#key !== null) this.#storage?.setItem(this.#key, JSON.stringify(users));
      this.#unwritten = false;
    } catch {
      // With a full or refused storage they do not survive a reload, but the menu shows them.
      this.#unwritten = true;
    }
    this.set(users);
  }

  /** Reads the storage; a list with an invalid entry counts as empty. Returns null if the storage does not have the shown list. */
  #stored(): readonly AddedUser[] | null {
    if (this.#key === null || !this.#storage || this.#unwritten) return null;
    try {
      return readUsers(JSON.parse(this.#storage.getItem(this.#key) ?? '[]')) ?? [];
    } catch {
      return null;
    }
  }
}

/** Returns the user cards added to a project's menu, other tabs' included. */
export function useAddedUsers(projectId: string | null): AddedUsers {
  const users = useMemo(() => new AddedUsers(browserStorage(), projectId), [projectId]);
  useEffect(() => {
    const hear = ({ key }: StorageEvent) => users.heard(key);
    addEventListener('storage', hear);
    return () => removeEventListener('storage', hear);
  }, [users]);
  return users;
}

/**
 * Reads a stored list; null unless each entry is valid. Not by a schema of zod: nothing else of the workspace's first load needs that
 * library.
 */
function readUsers(stored: unknown): AddedUser[] | null {
  if (!Array.isArray(stored)) return null;
  const users = stored.map(readUser);
  return users.every((user) => user !== null) ? users : null;
}

function readUser(stored: Partial<Record<keyof AddedUser, unknown>> | null): AddedUser | null {
  const { id, name, role, hue } = stored ?? {};
  if (typeof id !== 'string' || id.length < 1 || id.length > maxIdLength || typeof name !== 'string') return null;
  const known = { role: userKeys.find((key) => key === role), hue: userHues.find((one) => one === hue) };
  const shown = name.trim();
  if (shown.length < 1 || shown.length > maxUserNameLength || !known.role || !known.hue) return null;
  return { id, name: shown, role: known.role, hue: known.hue };
}
