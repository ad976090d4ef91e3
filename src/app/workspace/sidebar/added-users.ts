import { useEffect, useMemo } from 'react';
import { z } from 'zod';
import { browserStorage } from '../../../canvas/overlay/browser-storage.ts';
import { userHues } from '../../../model/agents/roles.ts';
import { ObservableValue } from '../../../state/observable.ts';
import { userKeys } from './user-menu.ts';

/** A user card that the user has added to the menu: `id` identifies it as the key does for a known one. */
export const addedUser = z.object({
  id: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(120),
  role: z.enum(userKeys),
  hue: z.enum(userHues),
});
export type AddedUser = z.infer<typeof addedUser>;

const list = z.array(addedUser);

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

  /** Reads the storage and skips invalid entries. Returns null if the storage does not have the shown list. */
  #stored(): readonly AddedUser[] | null {
    if (this.#key === null || !this.#storage || this.#unwritten) return null;
    try {
      return list.safeParse(JSON.parse(this.#storage.getItem(this.#key) ?? '[]')).data ?? [];
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
