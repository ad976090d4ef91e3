import type { AuthCalls, CallResult } from '../../../src/session/auth-calls.ts';
import { type AuthState, applyAuthRecipe, initialAuthState } from '../../../src/session/auth-state.ts';
import { createRefreshLock } from '../../../src/session/refresh-lock.ts';
import { Session } from '../../../src/session/session.ts';
import { createTokenStore } from '../../../src/session/token-store.ts';
import { tokenOf } from './token-of.ts';

export const user = { id: 'u1', email: 'anna@example.com', name: 'Анна' };

/** A session with a clock, a server and a storage that the test controls; `locks` are those of its browser. */
export function sessionDriver(stored: Record<string, string> | Map<string, string> = {}, locks?: LockManager) {
  const driver = {
    now: 1_800_000_000_000,
    state: initialAuthState as AuthState,
    timers: new Map<number, { run: () => void; at: number }>(),
    calls: [] as string[],
    notes: [] as string[],
    answers: {
      login: ok({ accessToken: '', refreshToken: 'r1', user }),
      refresh: refused(401),
      profile: refused(401),
      logout: ok(undefined),
      updateProfile: refused(401),
      changePassword: refused(401),
      deleteAccount: refused(401),
      takeBackAccount: refused(401),
    } as {
      login: CallResult<unknown>;
      refresh: CallResult<unknown> | Promise<never>;
      profile: CallResult<unknown>;
      updateProfile: CallResult<unknown>;
      changePassword: CallResult<unknown>;
      deleteAccount: CallResult<unknown>;
      takeBackAccount: CallResult<unknown>;
      logout: CallResult<unknown> | Promise<never>;
    },
    /** A given map is shared between sessions, as tabs share their storage. */
    storage: stored instanceof Map ? stored : new Map(Object.entries(stored)),
    token: (seconds: number, id = user.id) => tokenOf({ sub: id, email: user.email, name: user.name, exp: driver.now / 1000 + seconds }),
    /** Advances the clock and runs the timers that are due. */
    async pass(ms: number) {
      driver.now += ms;
      for (const [id, { run, at }] of [...driver.timers]) {
        if (at > driver.now) continue;
        driver.timers.delete(id);
        run();
      }
      await settle();
    },
    session: undefined as unknown as Session,
    tokens: undefined as unknown as ReturnType<typeof createTokenStore>,
  };
  const answer = (name: keyof typeof driver.answers) => async () => {
    driver.calls.push(name);
    return driver.answers[name];
  };
  const calls = {
    config: async () => refused(404),
    login: answer('login'),
    register: answer('login'),
    refresh: answer('refresh'),
    logout: answer('logout'),
    profile: answer('profile'),
    updateProfile: answer('updateProfile'),
    changePassword: answer('changePassword'),
    deleteAccount: answer('deleteAccount'),
    takeBackAccount: answer('takeBackAccount'),
  } as unknown as AuthCalls;
  let timerId = 0;
  driver.tokens = createTokenStore({
    getItem: (key) => driver.storage.get(key) ?? null,
    setItem: (key, value) => void driver.storage.set(key, value),
    removeItem: (key) => void driver.storage.delete(key),
  });
  driver.session = new Session({
    calls,
    tokens: driver.tokens,
    update: (recipe) => {
      driver.state = applyAuthRecipe(driver.state, recipe);
    },
    exclusive: createRefreshLock(locks),
    now: () => driver.now,
    setTimer: (run, ms) => {
      timerId += 1;
      driver.timers.set(timerId, { run, at: driver.now + ms });
      return timerId;
    },
    clearTimer: (timer) => void driver.timers.delete(timer),
    log: (note) => void driver.notes.push(note),
  });
  return driver;
}

export function ok<T>(value: T): CallResult<T> {
  return { ok: true, value };
}

export function refused(status: number): CallResult<never> {
  return { ok: false, failure: { kind: 'refused', status, code: null, message: '' } };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}
