import { Observable } from '../state/observable.ts';

export const accessTokenKey = 'accessToken';
export const refreshTokenKey = 'refreshToken';

type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

type AuthStatus = { hasAccessToken: boolean; hasRefreshToken: boolean };

export type TokenStore = {
  accessToken(): string | null;
  refreshToken(): string | null;
  /** Stores the given tokens. An absent token stays unchanged. */
  save(tokens: { accessToken: string; refreshToken?: string | undefined }): void;
  clear(): void;
  status(): AuthStatus;
  /** Adds a listener for each change of the tokens, also by other tabs. Returns the function that removes it. */
  subscribe(listener: () => void): () => void;
  /** Call when another tab has changed local storage. */
  changedOutside(): void;
};

/** Keeps both tokens in local storage. Where storage is denied, they live as long as the page. */
export function createTokenStore(storage: TokenStorage | null): TokenStore {
  const memory = new Map<string, string>();
  const changes = new Observable();
  const read = (key: string) => {
    try {
      return storage?.getItem(key) ?? memory.get(key) ?? null;
    } catch {
      return memory.get(key) ?? null;
    }
  };
  const write = (key: string, value: string) => {
    try {
      if (!storage) throw new Error('No storage');
      storage.setItem(key, value);
      memory.delete(key);
    } catch {
      memory.set(key, value);
    }
  };
  const remove = (key: string) => {
    memory.delete(key);
    try {
      storage?.removeItem(key);
    } catch {
      // Storage is denied: it holds no tokens.
    }
  };

  return {
    accessToken: () => read(accessTokenKey),
    refreshToken: () => read(refreshTokenKey),
    save({ accessToken, refreshToken }) {
      write(accessTokenKey, accessToken);
      if (refreshToken) write(refreshTokenKey, refreshToken);
      changes.notify();
    },
    clear() {
      remove(accessTokenKey);
      remove(refreshTokenKey);
      changes.notify();
    },
    status: () => ({ hasAccessToken: read(accessTokenKey) !== null, hasRefreshToken: read(refreshTokenKey) !== null }),
    subscribe: changes.subscribe,
    changedOutside: () => changes.notify(),
  };
}
