import type { AuthCalls, CallResult } from './auth-calls.ts';
import type { HttpCallsOptions } from './auth-calls-over-http.ts';

/** Loads the API client with its schemas at the first call. Most visitors of the landing page make no call. */
export function lazyAuthCalls(options: HttpCallsOptions): AuthCalls {
  let client: Promise<AuthCalls> | null = null;
  const load = () => {
    client ??= import('./auth-calls-over-http.ts')
      .then((file) => file.authCallsOverHttp(options))
      .catch((problem: unknown) => {
        client = null;
        throw problem;
      });
    return client;
  };
  const through = async <T>(action: (calls: AuthCalls) => Promise<CallResult<T>>): Promise<CallResult<T>> => {
    const calls = await load().catch(() => null);
    return calls ? action(calls) : { ok: false, failure: { kind: 'network' } };
  };
  return {
    config: () => through((calls) => calls.config()),
    login: (credentials) => through((calls) => calls.login(credentials)),
    register: (registration) => through((calls) => calls.register(registration)),
    refresh: (refreshToken) => through((calls) => calls.refresh(refreshToken)),
    logout: (refreshToken) => through((calls) => calls.logout(refreshToken)),
    profile: () => through((calls) => calls.profile()),
    updateProfile: (change) => through((calls) => calls.updateProfile(change)),
    changePassword: (change) => through((calls) => calls.changePassword(change)),
    forgotPassword: (email) => through((calls) => calls.forgotPassword(email)),
    resetPassword: (reset) => through((calls) => calls.resetPassword(reset)),
    verifyEmail: (token) => through((calls) => calls.verifyEmail(token)),
    sendVerification: () => through((calls) => calls.sendVerification()),
    deleteAccount: (deletion) => through((calls) => calls.deleteAccount(deletion)),
    takeBackAccount: () => through((calls) => calls.takeBackAccount()),
    exportAddress: () => through((calls) => calls.exportAddress()),
  };
}
