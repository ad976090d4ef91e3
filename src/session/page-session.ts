import type { AuthConfig } from '../../contract/account.ts';
import type { AuthCalls } from './auth-calls.ts';
import type { UpdateAuth } from './auth-state.ts';
import { lazyAuthCalls } from './lazy-auth-calls.ts';
import { createRefreshLock } from './refresh-lock.ts';
import { chooseServer, type Health, probeHealth, serverConfigs } from './server-choice.ts';
import { Session } from './session.ts';
import { accessTokenKey, createTokenStore, refreshTokenKey, type TokenStore } from './token-store.ts';

export type PageSession = {
  session: Session;
  tokens: TokenStore;
  /** The language of the server's answers, sent with each call. */
  language: string;
  /** Returns the base URL of the API on the chosen server. */
  apiBase: () => Promise<string>;
  /** The session's operations for the page. */
  operations: Omit<Session, 'start' | 'wake' | 'followOtherTab' | 'close'> &
    Pick<AuthCalls, 'forgotPassword' | 'resetPassword' | 'verifyEmail'> & {
      hasTokens: () => boolean;
      /** Returns the server's settings, read once; null when they cannot be read. */
      serverConfig: () => Promise<AuthConfig | null>;
      /** Checks the health of the chosen server. */
      probe: () => Promise<Health>;
    };
  /**
   * Chooses a server and restores the stored session shortly after. Then follows other tabs, wake-ups and the network, until the
   * returned function is called. P4
   */
  begin: () => () => void;
};

/** The wait between the page's mount and the check of the stored tokens (ms). */
const firstCheckMs = 100;

/** The page's only token store, shared by all session providers. Where storage is denied, it alone holds the tokens. */
let tokenStore: TokenStore | null = null;
/** The page's choice of a server, made once. */
let choice: Promise<string> | null = null;

/** Creates the page's session with the browser's storage, locks, clock and network. */
export function startPageSession(update: UpdateAuth): PageSession {
  tokenStore ??= createTokenStore(browserStorage());
  const tokens = tokenStore;
  const now = () => performance.now();
  const apiBase = () => {
    choice ??= pickServer(now);
    return choice;
  };
  const calls = lazyAuthCalls({
    apiBase,
    accessToken: tokens.accessToken,
    language: () => page.language,
    note,
    onForbidden: () =>
      update((draft) => {
        draft.forbiddenCount += 1;
      }),
  });
  let config: Promise<AuthConfig | null> | null = null;
  const serverConfig = () => {
    config ??= calls.config().then((answer) => {
      if (!answer.ok) config = null;
      return answer.ok ? answer.value : null;
    });
    return config;
  };
  const session = new Session({
    calls,
    tokens,
    update,
    exclusive: createRefreshLock(navigator.locks),
    now: Date.now,
    setTimer: (run, ms) => window.setTimeout(run, ms),
    clearTimer: (timer) => window.clearTimeout(timer),
    log: note,
  });
  const page: PageSession = {
    session,
    tokens,
    language: '',
    apiBase,
    operations: {
      ...session,
      forgotPassword: calls.forgotPassword,
      resetPassword: calls.resetPassword,
      verifyEmail: calls.verifyEmail,
      serverConfig,
      hasTokens: () => tokens.accessToken() !== null || tokens.refreshToken() !== null,
      probe: async () => probeHealth(await apiBase(), fetch, now),
    },
    begin() {
      void apiBase();
      const timer = setTimeout(() => void session.start(), firstCheckMs);
      const stop = listen(session);
      return () => {
        clearTimeout(timer);
        stop();
      };
    },
  };
  return page;
}

/** Writes to the browser's console. No line contains a token. */
function note(line: string, details: unknown = ''): void {
  // biome-ignore lint/suspicious/noConsole: these messages are meant for the console
  console.warn(`[session] ${line}`, details);
}

async function pickServer(now: () => number): Promise<string> {
  const { VITE_API_PRODUCTION, VITE_API_FALLBACK, DEV } = import.meta.env;
  const configs = serverConfigs({ origin: location.origin, VITE_API_PRODUCTION, VITE_API_FALLBACK, development: DEV });
  const chosen = await chooseServer(configs, async ({ apiBase }) => (await probeHealth(apiBase, fetch, now)).healthy);
  return chosen.apiBase;
}

function listen(session: Session): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === accessTokenKey || event.key === refreshTokenKey || event.key === null) void session.followOtherTab();
  };
  const onWake = () => {
    if (document.visibilityState === 'visible') void session.wake();
  };
  addEventListener('storage', onStorage);
  addEventListener('online', onWake);
  document.addEventListener('visibilitychange', onWake);
  return () => {
    removeEventListener('storage', onStorage);
    removeEventListener('online', onWake);
    document.removeEventListener('visibilitychange', onWake);
    session.close();
  };
}

function browserStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
