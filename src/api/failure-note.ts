import type { RouteName } from '../../contract/routes.ts';
import type { ApiError } from './api-error.ts';

/** Fields whose values are never logged, by any part of their name. */
const secretName = /password|token|secret|key|authorization/i;

/**
 * Returns one line about a failed call for the browser's console. It names a timeout, a refused token that is kept, or the server's list of
 * errors in the body that was sent. P4.06 P5.05 P8.01
 */
export function failureNote(error: ApiError, name: RouteName, body: unknown): string {
  if (error.code === 'timeout') return `${name}: timeout`;
  const line = `${name}: ${error.message}`;
  if (error.status === 401 && name !== 'auth.login' && name !== 'auth.register') return `${line} (401; the tokens are kept)`;
  if (error.status !== 400 || error.errors.length === 0) return line;
  const wrong = error.errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return `${line} [${wrong}] in ${JSON.stringify(body, masked)}`;
}

function masked(name: string, value: unknown): unknown {
  return secretName.test(name) && value !== null && value !== undefined ? '***' : value;
}
