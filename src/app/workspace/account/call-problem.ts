import type { CallFailure } from '../../../session/auth-calls.ts';

type CallProblem =
  /** The server's message about one field, in the user's language. */
  | { kind: 'field'; path: string; message: string }
  /** A problem with its own sentence in the locales. */
  | { kind: 'whole'; code: string; params: { message: string } };

/** Returns the problem of a failed call of the account, for a form. */
export function callProblem(failure: CallFailure): CallProblem {
  if (failure.kind === 'bad-answer') return { kind: 'whole', code: 'bad_answer', params: { message: '' } };
  if (failure.kind !== 'refused') return { kind: 'whole', code: failure.kind, params: { message: '' } };
  const { fields, code, message } = failure;
  const first = fields?.[0];
  if (first) return { kind: 'field', ...first };
  if (code === 'email_taken') return { kind: 'field', path: 'email', message };
  return { kind: 'whole', code: !code || code === 'http' ? 'api.message' : code, params: { message } };
}
