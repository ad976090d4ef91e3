import { withoutTrailingSlashes } from '../../contract/without-trailing-slashes.ts';
import { ApiError } from '../api/api-error.ts';
import { type Api, createApi } from '../api/create-api.ts';
import type { AuthCalls, CallFailure, CallResult } from './auth-calls.ts';

export type HttpCallsOptions = {
  apiBase: () => Promise<string>;
  accessToken: () => string | null;
  language: () => string;
  /** Logs one line for every failed call. */
  note: (line: string) => void;
  /** Called when the server refuses the account its own profile with 403. A refused change of the profile is shown by the form. */
  onForbidden: () => void;
};

/** Makes the session's calls over the API of the chosen server. Only calls of the signed-in account carry the access token. */
export function authCallsOverHttp({ apiBase, accessToken, language, note, onForbidden }: HttpCallsOptions): AuthCalls {
  const asVisitor = async () => createApi({ base: await apiBase(), language, note });
  const asUser = async () => createApi({ base: await apiBase(), language, note, getToken: accessToken });
  const profile = async () => {
    const answer = await attempt(asUser, (api) => api.call('auth.profile'));
    if (!answer.ok && answer.failure.kind === 'refused' && answer.failure.status === 403) onForbidden();
    return answer;
  };
  return {
    config: () => attempt(asVisitor, (api) => api.call('auth.config')),
    login: (body) => attempt(asVisitor, (api) => api.call('auth.login', { body })),
    register: (body) => attempt(asVisitor, (api) => api.call('auth.register', { body })),
    refresh: (refreshToken) => attempt(asVisitor, (api) => api.call('auth.refresh', { body: { refreshToken } })),
    logout: (refreshToken) => attempt(asVisitor, (api) => api.call('auth.logout', { body: refreshToken ? { refreshToken } : {} })),
    profile,
    updateProfile: (body) => attempt(asUser, (api) => api.call('auth.updateProfile', { body })),
    forgotPassword: (email) => attempt(asVisitor, (api) => api.call('auth.forgotPassword', { body: { email } })),
    resetPassword: (body) => attempt(asVisitor, (api) => api.call('auth.resetPassword', { body })),
    verifyEmail: (token) => attempt(asVisitor, (api) => api.call('auth.verifyEmail', { body: { token } })),
    sendVerification: () => attempt(asUser, (api) => api.call('auth.sendVerification')),
    changePassword: (body) => attempt(asUser, (api) => api.call('auth.changePassword', { body })),
    deleteAccount: (body) => attempt(asUser, (api) => api.call('account.delete', { body })),
    takeBackAccount: () => attempt(asUser, (api) => api.call('account.takeBack')),
    exportAddress: async () => {
      const base = withoutTrailingSlashes(await apiBase());
      return attempt(asUser, async (api) => `${base}${(await api.call('account.exportLink')).path.replace(/^\/api/, '')}`);
    },
  };
}

async function attempt<T>(client: () => Promise<Api>, action: (api: Api) => Promise<T>): Promise<CallResult<T>> {
  try {
    return { ok: true, value: await action(await client()) };
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, failure: failureOf(error) };
    throw error;
  }
}

function failureOf({ status, code, message, errors }: ApiError): CallFailure {
  if (code === 'network' || code === 'aborted') return { kind: 'network' };
  if (code === 'timeout') return { kind: 'timeout' };
  if (code === 'bad_answer') return { kind: 'bad-answer' };
  return { kind: 'refused', status, code, message, ...(errors.length > 0 && { fields: errors }) };
}
