import type {
  AccountDeletion,
  Credentials,
  LeavingAccount,
  PasswordChange,
  Profile,
  ProfileChange,
  Registration,
  Session as SessionAnswer,
} from '../../contract/account.ts';
import { singleFlight } from '../async/single-flight.ts';
import type { AuthCalls, CallFailure, CallResult } from './auth-calls.ts';
import type { AuthState, UpdateAuth } from './auth-state.ts';
import { type LoginProblem, loginProblem } from './login-problem.ts';
import type { RunExclusively } from './refresh-lock.ts';
import { createRefreshSchedule } from './refresh-schedule.ts';
import { checkToken, decodeToken, type SessionUser, userFromToken } from './token.ts';
import type { TokenStore } from './token-store.ts';

/** The longest wait for the server's answer to a sign-out (ms). The session ends here in any case. */
const logoutWaitMs = 5_000;

type SessionDeps = {
  calls: AuthCalls;
  tokens: TokenStore;
  update: UpdateAuth;
  exclusive: RunExclusively;
  /** Ms since the epoch. */
  now: () => number;
  setTimer: (run: () => void, ms: number) => number;
  clearTimer: (timer: number) => void;
  /** Writes to the browser's console. */
  log: (note: string, details?: unknown) => void;
};

export type SignInResult = { ok: true; user: SessionUser } | { ok: false; problem: LoginProblem };

export type Session = {
  login(credentials: Credentials): Promise<SignInResult>;
  register(registration: Registration): Promise<SignInResult>;
  /** Restores the stored session, unless the user is already known. */
  start(): Promise<void>;
  /** Checks the stored tokens and signs their user in. Returns false when there is no valid session. Concurrent calls share one check. */
  restore(): Promise<boolean>;
  logout(): Promise<void>;
  /** Returns the access token, refreshed first if it has expired; null when there is none. */
  accessToken(): Promise<string | null>;
  /** Call when the page wakes up or is online again. Refreshes the tokens if the last refresh failed or they have expired. */
  wake(): Promise<void>;
  /** Refreshes the tokens even if they have not expired, after the server has refused one. Returns false on failure. */
  refreshNow(): Promise<boolean>;
  /** Call when another tab has changed the tokens. */
  followOtherTab(): Promise<void>;
  /** Reads the account's profile, which has more fields than its token. */
  loadProfile(): Promise<CallResult<Profile>>;
  updateProfile(change: ProfileChange): Promise<CallResult<Profile>>;
  /** Ends every other session of the account and keeps this one. */
  changePassword(change: PasswordChange): Promise<CallResult<unknown>>;
  /** Sends the link that verifies the account's address again. */
  sendVerification(): Promise<CallResult<unknown>>;
  /** Deletes the account: from now on it is locked, and can be taken back until `deletionDueAt`. */
  deleteAccount(deletion: AccountDeletion): Promise<CallResult<LeavingAccount>>;
  /** Takes the account back. */
  takeBackAccount(): Promise<CallResult<unknown>>;
  /** Returns an address that downloads everything that the account has stored. It works for a minute. */
  exportAddress(): Promise<CallResult<string>>;
  /** Signs out here if the server refuses the stored session with 401. Any other answer changes nothing. */
  signOutIfRefused(): Promise<void>;
  openLogin(mode?: AuthState['loginMode']): void;
  closeLogin(): void;
  /** Stops the timer. */
  close(): void;
};

/** Creates the session. No other module reads, stores or exchanges tokens. */
export function createSession(deps: SessionDeps): Session {
  const { calls, tokens, update, now } = deps;
  const schedule = createRefreshSchedule(deps, () => void refresh());
  /** True while the user is known only from an expired token, because the server could not be reached. */
  let isProfileDue = false;
  let currentId: string | null = null;
  let isUserKnown = false;

  const setUser = ({ isStaff = null, language = null, deletionDueAt, ...user }: KnownUser) => {
    isUserKnown = true;
    currentId = user.id;
    update((draft) => {
      draft.isStaff = isStaff ?? (draft.user?.id === user.id ? draft.isStaff : null);
      draft.language = language ?? (draft.user?.id === user.id ? draft.language : null);
      const known = draft.user?.id === user.id ? draft.deletionDueAt : null;
      draft.deletionDueAt = deletionDueAt === undefined ? known : deletionDueAt;
      draft.isLoggedIn = true;
      draft.user = user;
    });
    if (!schedule.isRunning && !schedule.hasFailed) schedule.start();
  };
  const clearUser = () => {
    isUserKnown = true;
    currentId = null;
    schedule.stop();
    update((draft) => {
      draft.isLoggedIn = false;
      draft.user = null;
      draft.isStaff = null;
      draft.language = null;
      draft.deletionDueAt = null;
    });
  };

  /** Exchanges the refresh token once for all tabs: later tabs find the new token and use it. */
  const refresh = singleFlight(async (): Promise<CallResult<SessionUser | null>> => {
    const before = tokens.accessToken();
    return deps
      .exclusive(async (): Promise<CallResult<SessionUser | null>> => {
        const present = tokens.accessToken();
        if (present !== before && checkToken(present, now()).valid) return { ok: true, value: null };
        const refreshToken = tokens.refreshToken();
        if (!refreshToken) return { ok: false, failure: { kind: 'refused', status: 401, code: null, message: '' } };
        const answer = await calls.refresh(refreshToken);
        if (!answer.ok) return answer;
        // After a sign-out or a new sign-in during the exchange, its answer is ignored.
        if (tokens.refreshToken() !== refreshToken) return { ok: true, value: null };
        tokens.save(answer.value);
        return { ok: true, value: answer.value.user ?? null };
      })
      .then((result) => {
        if (result.ok) {
          schedule.restart();
          if (isProfileDue) void loadProfile();
        } else {
          const willRetry = Boolean(tokens.refreshToken()) && isTransient(result.failure);
          schedule.noteFailure(willRetry);
          if (willRetry) {
            deps.log('The session could not be refreshed; a retry is scheduled', result.failure);
          } else if (tokens.refreshToken()) deps.log('The server refused to refresh the session; the tokens are kept', result.failure);
        }
        return result;
      });
  });

  const restore = singleFlight(async (): Promise<boolean> => {
    const { hasAccessToken, hasRefreshToken } = tokens.status();
    if (!hasAccessToken && !hasRefreshToken) {
      clearUser();
      return false;
    }
    const user = checkToken(tokens.accessToken(), now()).valid ? await userOfValidToken() : await userAfterRefresh();
    if (!user) {
      clearUser();
      return false;
    }
    setUser(user);
    return true;
  });

  /** Returns the profile. If it cannot be read, refreshes the tokens and reads it again; else uses the token's fields. */
  async function userOfValidToken(): Promise<KnownUser | null> {
    const profile = await calls.profile();
    if (profile.ok) return userOfProfile(profile.value);
    // A refused token is logged and kept: the user decides whether to sign out.
    deps.log('The profile could not be loaded', profile.failure);
    return (await userAfterRefresh()) ?? userOfStoredToken();
  }

  async function userAfterRefresh(): Promise<KnownUser | null> {
    if (!tokens.refreshToken()) return null;
    const refreshed = await refresh();
    if (!refreshed.ok) return isTransient(refreshed.failure) ? userOfExpiredToken() : null;
    const profile = await calls.profile();
    if (profile.ok) return userOfProfile(profile.value);
    return refreshed.value ?? userOfStoredToken();
  }

  /** Returns the user of an expired token, so that a user stays signed in while the server is unreachable. */
  function userOfExpiredToken(): SessionUser | null {
    const payload = decodeToken(tokens.accessToken() ?? '');
    const user = payload && userFromToken(payload);
    if (!user?.id) return null;
    isProfileDue = true;
    return user;
  }

  function userOfStoredToken(): SessionUser | null {
    const check = checkToken(tokens.accessToken(), now());
    if (!check.valid) return null;
    if (!check.hasUserId) deps.log('The access token names no user');
    return userFromToken(check.payload);
  }

  function signIn(answer: CallResult<SessionAnswer>): SignInResult {
    if (!answer.ok) return { ok: false, problem: loginProblem(answer.failure) };
    const { accessToken, refreshToken, user } = answer.value;
    if (accessToken) tokens.save({ accessToken, refreshToken });
    if (!accessToken || tokens.accessToken() !== accessToken) return { ok: false, problem: { code: 'noToken' } };
    const payload = decodeToken(accessToken);
    const person = user ? pickUser(user) : payload ? userFromToken(payload) : { id: '', email: '', name: '' };
    schedule.restart();
    setUser({ ...person, language: user?.language, deletionDueAt: user?.deletionDueAt ?? null });
    return { ok: true, user: person };
  }

  async function refreshExpired(): Promise<void> {
    const check = checkToken(tokens.accessToken(), now());
    if (!check.valid && check.reason === 'expired' && tokens.refreshToken()) await refresh();
  }

  async function asUser<T>(call: () => Promise<CallResult<T>>): Promise<CallResult<T>> {
    await refreshExpired();
    return call();
  }

  const applyProfile = (answer: CallResult<Profile>) => {
    // An answer that arrives after an account change belongs to another user.
    if (answer.ok && answer.value.id === currentId) setUser(userOfProfile(answer.value));
    if (answer.ok) isProfileDue = false;
    return answer;
  };
  const setDeletion = (dueAt: string | null) =>
    update((draft) => {
      draft.deletionDueAt = dueAt;
    });
  async function loadProfile(): Promise<CallResult<Profile>> {
    return applyProfile(await asUser(calls.profile));
  }

  return {
    login: async (credentials) => signIn(await calls.login(credentials)),
    register: async (registration) => signIn(await calls.register(registration)),
    async start() {
      if (!isUserKnown) await restore();
    },
    restore,
    async logout() {
      const sent = calls.logout(tokens.refreshToken());
      const timeout = new Promise<void>((resolve) => deps.setTimer(resolve, logoutWaitMs));
      await Promise.race([sent.catch((problem: unknown) => deps.log('The server was not told of the sign-out', problem)), timeout]);
      tokens.clear();
      schedule.forgetFailures();
      clearUser();
    },
    async accessToken() {
      await refreshExpired();
      return tokens.accessToken();
    },
    async wake() {
      if (!tokens.refreshToken()) return;
      // A page that was opened without a network has no user yet.
      if (isUserKnown && currentId === null) await restore();
      else if (schedule.hasFailed || !checkToken(tokens.accessToken(), now()).valid) await refresh();
    },
    async refreshNow() {
      return (await refresh()).ok;
    },
    async followOtherTab() {
      tokens.changedOutside();
      const { hasAccessToken, hasRefreshToken } = tokens.status();
      const payload = decodeToken(tokens.accessToken() ?? '');
      if (!hasAccessToken && !hasRefreshToken) clearUser();
      else if (currentId !== null && payload && userFromToken(payload).id === currentId) {
        schedule.restart();
      } else await restore();
    },
    loadProfile,
    updateProfile: async (change) => applyProfile(await asUser(() => calls.updateProfile(change))),
    changePassword: (change) => asUser(() => calls.changePassword(change)),
    sendVerification: () => asUser(calls.sendVerification),
    async deleteAccount(deletion) {
      const answer = await asUser(() => calls.deleteAccount(deletion));
      if (answer.ok) setDeletion(answer.value.deletionDueAt);
      return answer;
    },
    async takeBackAccount() {
      const answer = await asUser(calls.takeBackAccount);
      if (answer.ok) setDeletion(null);
      return answer;
    },
    exportAddress: () => asUser(calls.exportAddress),
    async signOutIfRefused() {
      if (!tokens.accessToken()) return;
      const answer = await calls.profile();
      if (answer.ok || answer.failure.kind !== 'refused' || answer.failure.status !== 401) return;
      tokens.clear();
      schedule.forgetFailures();
      clearUser();
    },
    openLogin: (mode = 'signIn') =>
      update((draft) => {
        draft.showLoginModal = true;
        draft.loginMode = mode;
      }),
    closeLogin: () =>
      update((draft) => {
        draft.showLoginModal = false;
      }),
    close: schedule.stop,
  };
}

/** `deletionDueAt` is absent where it is not known. */
type KnownUser = SessionUser & { isStaff?: boolean | null; language?: Profile['language']; deletionDueAt?: string | null };

/** Returns whether the same refresh may succeed later: the server was unreachable or busy, or another server answered. */
function isTransient(failure: CallFailure): boolean {
  return failure.kind !== 'refused' || failure.status === 408 || failure.status === 429 || failure.status >= 500;
}

function userOfProfile(profile: Profile): KnownUser {
  return { ...pickUser(profile), isStaff: profile.isStaff, language: profile.language, deletionDueAt: profile.deletionDueAt ?? null };
}

function pickUser({ id, email, name }: SessionUser): SessionUser {
  return { id, email, name };
}
