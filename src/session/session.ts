import { singleFlight } from '../../async/single-flight.ts';
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
import type { AuthCalls, CallFailure, CallResult } from './auth-calls.ts';
import type { AuthState, UpdateAuth } from './auth-state.ts';
import { type LoginProblem, loginProblem } from './login-problem.ts';
import type { RunExclusively } from './refresh-lock.ts';
import { RefreshSchedule } from './refresh-schedule.ts';
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

/** The user's session. No other module reads, stores or exchanges tokens. Its methods may be called without the object. */
export class Session {
  readonly #deps: SessionDeps;
  readonly #schedule: RefreshSchedule;
  /** True while the user is known only from an expired token, because the server could not be reached. */
  #isProfileDue = false;
  #currentId: string | null = null;
  #isUserKnown = false;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#schedule = new RefreshSchedule(deps, () => void this.#refresh());
  }

  readonly login = async (credentials: Credentials): Promise<SignInResult> => this.#signIn(await this.#deps.calls.login(credentials));

  readonly register = async (registration: Registration): Promise<SignInResult> =>
    this.#signIn(await this.#deps.calls.register(registration));

  /** Restores the stored session, unless the user is already known. */
  readonly start = async (): Promise<void> => {
    if (!this.#isUserKnown) await this.restore();
  };

  /** Checks the stored tokens and signs their user in. Returns false when there is no valid session. Concurrent calls share one check. */
  readonly restore = singleFlight(async (): Promise<boolean> => {
    const user = this.#hasTokens() ? await this.#storedUser() : null;
    if (user) this.#setUser(user);
    else this.#clearUser();
    return user !== null;
  });

  readonly logout = async (): Promise<void> => {
    const { calls, tokens, setTimer, log } = this.#deps;
    const sent = calls.logout(tokens.refreshToken());
    const timeout = new Promise<void>((resolve) => setTimer(resolve, logoutWaitMs));
    await Promise.race([sent.catch((problem: unknown) => log('The server was not told of the sign-out', problem)), timeout]);
    this.#end();
  };

  /** Returns the access token, refreshed first if it has expired; null when there is none. */
  readonly accessToken = async (): Promise<string | null> => {
    await this.#refreshExpired();
    return this.#deps.tokens.accessToken();
  };

  /** Call when the page wakes up or is online again. Refreshes the tokens if the last refresh failed or they have expired. */
  readonly wake = async (): Promise<void> => {
    if (!this.#deps.tokens.refreshToken()) return;
    // A page that was opened without a network has no user yet.
    if (this.#isUserKnown && this.#currentId === null) await this.restore();
    else if (this.#schedule.hasFailed || !this.#checkToken().valid) await this.#refresh();
  };

  /** Refreshes the tokens even if they have not expired, after the server has refused one. Returns false on failure. */
  readonly refreshNow = async (): Promise<boolean> => (await this.#refresh()).ok;

  /** Call when another tab has changed the tokens. */
  readonly followOtherTab = async (): Promise<void> => {
    this.#deps.tokens.changedOutside();
    const user = this.#userInToken();
    if (!this.#hasTokens()) this.#clearUser();
    else if (this.#currentId !== null && user?.id === this.#currentId) this.#schedule.restart();
    else await this.restore();
  };

  /** Reads the account's profile, which has more fields than its token. */
  readonly loadProfile = async (): Promise<CallResult<Profile>> => this.#applyProfile(await this.#asUser(this.#deps.calls.profile));

  readonly updateProfile = async (change: ProfileChange): Promise<CallResult<Profile>> =>
    this.#applyProfile(await this.#asUser(() => this.#deps.calls.updateProfile(change)));

  /** Ends every other session of the account and keeps this one. */
  readonly changePassword = (change: PasswordChange): Promise<CallResult<unknown>> =>
    this.#asUser(() => this.#deps.calls.changePassword(change));

  /** Sends the link that verifies the account's address again. */
  readonly sendVerification = (): Promise<CallResult<unknown>> => this.#asUser(this.#deps.calls.sendVerification);

  /** Deletes the account: from now on it is locked, and can be taken back until `deletionDueAt`. */
  readonly deleteAccount = async (deletion: AccountDeletion): Promise<CallResult<LeavingAccount>> => {
    const answer = await this.#asUser(() => this.#deps.calls.deleteAccount(deletion));
    if (answer.ok) this.#setDeletion(answer.value.deletionDueAt);
    return answer;
  };

  /** Takes the account back. */
  readonly takeBackAccount = async (): Promise<CallResult<unknown>> => {
    const answer = await this.#asUser(this.#deps.calls.takeBackAccount);
    if (answer.ok) this.#setDeletion(null);
    return answer;
  };

  /** Returns an address that downloads everything that the account has stored. It works for a minute. */
  readonly exportAddress = (): Promise<CallResult<string>> => this.#asUser(this.#deps.calls.exportAddress);

  /** Signs out here if the server refuses the stored session with 401. Any other answer changes nothing. */
  readonly signOutIfRefused = async (): Promise<void> => {
    if (!this.#deps.tokens.accessToken()) return;
    const answer = await this.#deps.calls.profile();
    if (!answer.ok && answer.failure.kind === 'refused' && answer.failure.status === 401) this.#end();
  };

  readonly openLogin = (mode: AuthState['loginMode'] = 'signIn'): void =>
    this.#deps.update((draft) => {
      draft.showLoginModal = true;
      draft.loginMode = mode;
    });

  readonly closeLogin = (): void =>
    this.#deps.update((draft) => {
      draft.showLoginModal = false;
    });

  /** Stops the timer. */
  close(): void {
    this.#schedule.stop();
  }

  #setUser({ isStaff = null, language = null, deletionDueAt, ...user }: KnownUser): void {
    this.#isUserKnown = true;
    this.#currentId = user.id;
    this.#deps.update((draft) => {
      draft.isStaff = isStaff ?? (draft.user?.id === user.id ? draft.isStaff : null);
      draft.language = language ?? (draft.user?.id === user.id ? draft.language : null);
      const known = draft.user?.id === user.id ? draft.deletionDueAt : null;
      draft.deletionDueAt = deletionDueAt === undefined ? known : deletionDueAt;
      draft.isLoggedIn = true;
      draft.user = user;
    });
    if (!this.#schedule.isRunning && !this.#schedule.hasFailed) this.#schedule.start();
  }

  #clearUser(): void {
    this.#isUserKnown = true;
    this.#currentId = null;
    this.#schedule.stop();
    this.#deps.update((draft) => {
      draft.isLoggedIn = false;
      draft.user = null;
      draft.isStaff = null;
      draft.language = null;
      draft.deletionDueAt = null;
    });
  }

  /** Signs out here, whatever the server knows. */
  #end(): void {
    this.#deps.tokens.clear();
    this.#schedule.forgetFailures();
    this.#clearUser();
  }

  readonly #refresh = singleFlight(async (): Promise<CallResult<SessionUser | null>> => {
    const { tokens, log } = this.#deps;
    const result = await this.#exchangeToken();
    if (result.ok) {
      this.#schedule.restart();
      if (this.#isProfileDue) void this.loadProfile();
    } else {
      const willRetry = Boolean(tokens.refreshToken()) && isTransient(result.failure);
      this.#schedule.noteFailure(willRetry);
      if (willRetry) log('The session could not be refreshed; a retry is scheduled', result.failure);
      else if (tokens.refreshToken()) log('The server refused to refresh the session; the tokens are kept', result.failure);
    }
    return result;
  });

  /** Exchanges the refresh token once for all tabs: later tabs find the new token and use it. */
  #exchangeToken(): Promise<CallResult<SessionUser | null>> {
    const { calls, tokens, exclusive } = this.#deps;
    const before = tokens.accessToken();
    return exclusive(async () => {
      if (tokens.accessToken() !== before && this.#checkToken().valid) return { ok: true, value: null };
      const refreshToken = tokens.refreshToken();
      if (!refreshToken) return { ok: false, failure: { kind: 'refused', status: 401, code: null, message: '' } };
      const answer = await calls.refresh(refreshToken);
      if (!answer.ok) return answer;
      // After a sign-out or a new sign-in during the exchange, its answer is ignored.
      if (tokens.refreshToken() !== refreshToken) return { ok: true, value: null };
      tokens.save(answer.value);
      return { ok: true, value: answer.value.user ?? null };
    });
  }

  /** Returns the profile. If it cannot be read, refreshes the tokens and reads it again; else uses the token's fields. */
  async #storedUser(): Promise<KnownUser | null> {
    if (!this.#checkToken().valid) return this.#userAfterRefresh();
    const profile = await this.#deps.calls.profile();
    if (profile.ok) return userOfProfile(profile.value);
    // A refused token is logged and kept: the user decides whether to sign out.
    this.#deps.log('The profile could not be loaded', profile.failure);
    return (await this.#userAfterRefresh()) ?? this.#userOfStoredToken();
  }

  async #userAfterRefresh(): Promise<KnownUser | null> {
    if (!this.#deps.tokens.refreshToken()) return null;
    const refreshed = await this.#refresh();
    if (!refreshed.ok) return isTransient(refreshed.failure) ? this.#userOfExpiredToken() : null;
    const profile = await this.#deps.calls.profile();
    if (profile.ok) return userOfProfile(profile.value);
    return refreshed.value ?? this.#userOfStoredToken();
  }

  /** Returns the user of an expired token, so that a user stays signed in while the server is unreachable. */
  #userOfExpiredToken(): SessionUser | null {
    const user = this.#userInToken();
    if (!user?.id) return null;
    this.#isProfileDue = true;
    return user;
  }

  #userOfStoredToken(): SessionUser | null {
    const check = this.#checkToken();
    if (!check.valid) return null;
    if (!check.hasUserId) this.#deps.log('The access token names no user');
    return userFromToken(check.payload);
  }

  #userInToken(): SessionUser | null {
    const payload = decodeToken(this.#deps.tokens.accessToken() ?? '');
    return payload && userFromToken(payload);
  }

  #checkToken() {
    return checkToken(this.#deps.tokens.accessToken(), this.#deps.now());
  }

  #hasTokens(): boolean {
    const { hasAccessToken, hasRefreshToken } = this.#deps.tokens.status();
    return hasAccessToken || hasRefreshToken;
  }

  #signIn(answer: CallResult<SessionAnswer>): SignInResult {
    const { tokens } = this.#deps;
    if (!answer.ok) return { ok: false, problem: loginProblem(answer.failure) };
    const { accessToken, refreshToken, user } = answer.value;
    if (accessToken) tokens.save({ accessToken, refreshToken });
    if (!accessToken || tokens.accessToken() !== accessToken) return { ok: false, problem: { code: 'noToken' } };
    const person = user ? pickUser(user) : (this.#userInToken() ?? { id: '', email: '', name: '' });
    this.#schedule.restart();
    this.#setUser({ ...person, language: user?.language, deletionDueAt: user?.deletionDueAt ?? null });
    return { ok: true, user: person };
  }

  async #refreshExpired(): Promise<void> {
    const check = this.#checkToken();
    if (!check.valid && check.reason === 'expired' && this.#deps.tokens.refreshToken()) await this.#refresh();
  }

  async #asUser<T>(call: () => Promise<CallResult<T>>): Promise<CallResult<T>> {
    await this.#refreshExpired();
    return call();
  }

  #applyProfile(answer: CallResult<Profile>): CallResult<Profile> {
    // An answer that arrives after an account change belongs to another user.
    if (answer.ok && answer.value.id === this.#currentId) this.#setUser(userOfProfile(answer.value));
    if (answer.ok) this.#isProfileDue = false;
    return answer;
  }

  #setDeletion(dueAt: string | null): void {
    this.#deps.update((draft) => {
      draft.deletionDueAt = dueAt;
    });
  }
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
