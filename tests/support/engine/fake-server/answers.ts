import type { Answer, BackendError } from '../../../../src/workers/engine/backends/port.ts';

export function ok<T>(value: T): Answer<T> {
  return { ok: true, value };
}

const refused = (code: string, status: number): Answer<never> => ({
  ok: false,
  fault: { kind: 'refused', problem: { code }, status, retryAfterMs: null },
});

/** The refusal of a full account that has room for some of what was sent. */
export const fullFor = (room: number): Answer<never> => ({
  ok: false,
  fault: { kind: 'refused', problem: { code: 'quota_reached', params: { room } }, status: 422, retryAfterMs: null },
});
export const missing = refused('not_found', 404);
export const illegalState = refused('illegal_state', 409);
export const noLaterStep = refused('no_later_step', 409);
export const questionAnswered = refused('question_answered', 409);
export const staleAnswer: Answer<never> = {
  ok: false,
  fault: { kind: 'stale', problem: { code: 'canvas_stale' }, status: 409, retryAfterMs: null },
};

export const unreachable: BackendError = { kind: 'unreachable', problem: { code: 'network' }, status: 0, retryAfterMs: null };
export const unauthenticated: BackendError = {
  kind: 'unauthenticated',
  problem: { code: 'token_expired' },
  status: 401,
  retryAfterMs: null,
};

/** The time of everything that the fake server makes. */
export const now = '2026-11-20T12:00:00.000Z';

/** Does the work once for a call and its idempotency key; a repeated call gets the first answer. */
export type Once = <T>(name: string, key: string | undefined, work: () => Answer<T>) => Answer<T>;
