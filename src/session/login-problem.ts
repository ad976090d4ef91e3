import type { CallFailure } from './auth-calls.ts';

/** The problems of signing in or up. Each code has a sentence in the locales. */
export type LoginProblem =
  | {
      code:
        | 'network'
        | 'timeout'
        | 'invalidCredentials'
        | 'forbidden'
        | 'server'
        | 'noToken'
        | 'emailTaken'
        | 'passwordWeak'
        | 'registrationClosed'
        | 'tooMany';
    }
  /** The server's own message. */
  | { code: 'other'; message: string }
  | { code: 'loginError' };

const byErrorCode: Partial<Record<string, LoginProblem['code']>> = {
  email_taken: 'emailTaken',
  password_weak: 'passwordWeak',
  registration_closed: 'registrationClosed',
  too_many_requests: 'tooMany',
};

const byStatus: Partial<Record<number, LoginProblem['code']>> = {
  401: 'invalidCredentials',
  403: 'forbidden',
  429: 'tooMany',
  500: 'server',
};

/** Returns the problem of a failed sign-in or sign-up. */
export function loginProblem(failure: CallFailure): LoginProblem {
  if (failure.kind === 'bad-answer') return { code: 'noToken' };
  if (failure.kind !== 'refused') return { code: failure.kind };
  const code = byErrorCode[failure.code ?? ''] ?? byStatus[failure.status];
  if (code && code !== 'other') return { code };
  return failure.message ? { code: 'other', message: failure.message } : { code: 'loginError' };
}

/** Returns the problem of a failed call without a sign-in: a request for an email, or a new password. */
export function emailProblem(failure: CallFailure): LoginProblem {
  const problem = loginProblem(failure);
  return problem.code === 'noToken' || problem.code === 'invalidCredentials' ? { code: 'server' } : problem;
}
