import { ApiError } from '../api/api-error.ts';
import { type Api, createApi } from '../api/create-api.ts';
import type { AuthCalls, CallFailure, CallResult } from './auth-calls.ts';

export type HttpCallsOptions = {
  apiBase: () => Promise<string>;
  accessToken: () => string | null;
  language: () => string;
};

/** The calls of a session through the API of the picked server. Only those of the signed-in account carry the access token. */
export function authCallsOverHttp({ apiBase, accessToken, language }: HttpCallsOptions): AuthCalls {
  const asVisitor = async () => createApi({ base: await apiBase(), language });
  const asUser = async () => createApi({ base: await apiBase(), language, getToken: accessToken });
  return {
    config: () => attempt(asVisitor, (api) => api.call('auth.config')),
    login: (body) => attempt(asVisitor, (api) => api.call('auth.login', { body })),
    register: (body) => attempt(asVisitor, (api) => api.call('auth.register', { body })),
    refresh: (refreshToken) => attempt(asVisitor, (api) => api.call('auth.refresh', { body: { refreshToken } })),
    logout: (refreshToken) => attempt(asVisitor, (api) => api.call('auth.logout', { body: refreshToken ? { refreshToken } : {} })),
    profile: () => attempt(asUser, (api) => api.call('auth.profile')),
    updateProfile: (body) => attempt(asUser, (api) => api.call('auth.updateProfile', { body })),
    changePassword: (body) => attempt(asUser, (api) => api.call('auth.changePassword', { body })),
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
