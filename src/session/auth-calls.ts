import type {
  AccountDeletion,
  AuthConfig,
  Credentials,
  LeavingAccount,
  PasswordChange,
  PasswordReset,
  Profile,
  ProfileChange,
  Refreshed,
  Registration,
  Session,
} from '../../contract/account.ts';

/** The cause of a failed call, in the detail that the interface shows. */
export type CallFailure =
  | { kind: 'network' }
  | { kind: 'timeout' }
  /** The server's answer does not follow the contract, such as a session without a token. */
  | { kind: 'bad-answer' }
  /** The server answered with an error. `code` is a code of the contract, or null. */
  | { kind: 'refused'; status: number; code: string | null; message: string; fields?: FieldProblem[] };

/** The server's message about one field of the request, in the user's language. */
type FieldProblem = { path: string; message: string };

export type CallResult<T> = { ok: true; value: T } | { ok: false; failure: CallFailure };

/** The calls of an account's session. None of them throws. */
export type AuthCalls = {
  /** Returns the server's public settings. */
  config(): Promise<CallResult<AuthConfig>>;
  login(credentials: Credentials): Promise<CallResult<Session>>;
  register(registration: Registration): Promise<CallResult<Session>>;
  refresh(refreshToken: string): Promise<CallResult<Refreshed>>;
  logout(refreshToken: string | null): Promise<CallResult<unknown>>;
  /** Returns the profile of the user whom the stored access token names. */
  profile(): Promise<CallResult<Profile>>;
  updateProfile(change: ProfileChange): Promise<CallResult<Profile>>;
  changePassword(change: PasswordChange): Promise<CallResult<unknown>>;
  /** Sends an email with a link to a new password. Succeeds for an unknown address too. */
  forgotPassword(email: string): Promise<CallResult<unknown>>;
  resetPassword(reset: PasswordReset): Promise<CallResult<unknown>>;
  /** Verifies the address that the token was sent to. A token works once. */
  verifyEmail(token: string): Promise<CallResult<unknown>>;
  /** Sends the link that verifies the account's address again. */
  sendVerification(): Promise<CallResult<unknown>>;
  /** Locks the account, which can be taken back until the returned time. */
  deleteAccount(deletion: AccountDeletion): Promise<CallResult<LeavingAccount>>;
  takeBackAccount(): Promise<CallResult<unknown>>;
  /** Returns an address that downloads everything that the account has stored. It works for a minute. */
  exportAddress(): Promise<CallResult<string>>;
};
