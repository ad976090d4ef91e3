import type { Sending } from '../../../../contract/call.ts';
import { type ErrorCode, errorCodes } from '../../../../contract/errors.ts';
import type { RouteName } from '../../../../contract/routes.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { Api, ApiSending } from '../../../api/create-api.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Answer, Backend, BackendError } from './port.ts';

/** The server, called over its API. A failed call returns a fault. */
export function createHttpBackend(api: Api): Backend {
  return {
    async call<R extends RouteName>(route: R, ...sent: Sending<R>) {
      try {
        const { value, total } = await api.page(route, ...(sent as unknown as ApiSending<R>));
        return { ok: true, value, ...(total !== null && { total }) };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return failedAnswer(error);
      }
    },
  };
}

/** The longest wait that a server may ask for (ms): with a proxy's day, edits would stay unsaved for that long. */
const maxPauseMs = 30_000;

function failedAnswer(error: ApiError): Answer<never> {
  const retryAfterMs = error.retryAfterMs === null ? null : Math.min(maxPauseMs, error.retryAfterMs);
  return { ok: false, fault: { kind: kindOf(error), problem: problemOf(error), status: error.status, retryAfterMs } };
}

function kindOf({ status, code }: ApiError): BackendError['kind'] {
  if (status === 401) return 'unauthenticated';
  if (code === 'canvas_stale') return 'stale';
  // An answer that breaks the contract comes from a proxy or a login page in between, not from the server.
  const passing = code === 'bad_answer' || status === 0 || status === 408 || status === 425 || status === 429 || status >= 500;
  return passing ? 'unreachable' : 'refused';
}

/** A code that the locales know is used instead of the server's message. */
function problemOf({ code, message, status, details, errors }: ApiError): Problem {
  const known = errorCodes.includes(code as ErrorCode) || status === 0 || code === 'bad_answer';
  if (!known) return { code: 'api.message', params: { message } };
  if (code === 'timeout') return { code: 'api.timeout', params: { ms: Number(details.timeoutMs) } };
  const { status: state, field, room } = details;
  const problem = {
    code,
    params: {
      message,
      ...(typeof state === 'string' && { status: state }),
      ...(typeof field === 'string' && { field }),
      ...(typeof room === 'number' && { room }),
    },
  };
  if (errors.length === 0) return problem;
  return { ...problem, details: errors.map(({ path, message }) => ({ code: 'api.message', params: { path, message } })) };
}
