import { z } from 'zod';
import { userHues } from '../../../model/agents/roles.ts';
import { ObservableValue } from '../../../state/observable.ts';
import { userKeys } from './user-menu.ts';

/** Somebody whom the user put into the menu: `id` is to their card what the key of a known person is. */
export const addedUser = z.object({
  id: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(120),
  role: z.enum(userKeys),
  hue: z.enum(userHues),
});
export type AddedUser = z.infer<typeof addedUser>;

const list = z.array(addedUser);

/**
 * The people added to a project's menu, kept in this browser: the server knows nothing of them but their cards. Where the
 * storage is full or refused, or without a project, they live as long as the page. R30
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

  /** Another tab wrote under a key of the storage; null stands for all of them. */
  heard(key: string | null): void {
    if (key === null || key === this.#key) this.set(this.#stored() ?? this.get());
  }

  /** Changes what the storage has by now, so that nobody whom another tab added is lost. */
  #change(change: (users: readonly AddedUser[]) => readonly AddedUser[]): void {
    const users = change(this.#stored() ?? this.get());
    try {
      if (this.#key !== null) this.#storage?.setItem(this.#key, JSON.stringify(users));
      this.#unwritten = false;
    } catch {
      // A full or refused storage costs their survival of a reload, never the menu on the screen.
      this.#unwritten = true;
    }
    this.set(users);
  }

  /** What somebody else wrote under the key is passed over. Null where the storage does not hold what is shown. */
  #stored(): readonly AddedUser[] | null {
    if (this.#key === null || !this.#storage || this.#unwritten) return null;
    try {
      return list.safeParse(JSON.parse(this.#storage.getItem(this.#key) ?? '[]')).data ?? [];
    } catch {
      return null;
    }
  }
}
