import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { FieldProblem } from './check-connection.ts';

/** A change of connections that is not made, with the reason. */
export class ConnectionRefused extends ApiError {
  constructor(reason: 'limit' | 'operator', params: Record<string, string | number> = {}) {
    super('connection_refused', { details: { reason }, params });
  }
}

/** Throws `bad_request` with a sentence for each field that is wrong. */
export function refuseProblems(problems: readonly FieldProblem[], language: Language): void {
  if (problems.length === 0) return;
  throw new ApiError('bad_request', {
    errors: problems.map(({ path, text, params }) => ({ path, message: translate(language, text, params) })),
  });
}
