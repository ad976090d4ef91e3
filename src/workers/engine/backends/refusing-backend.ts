import type { Answer, Backend, RouteMap } from './port.ts';

/** A backend without a server: it gives the answers that it has, and refuses every other call with this code. */
export function createRefusingBackend(code: string, answers: Partial<RouteMap>): Backend {
  return backendOfMap(answers, refusedAnswer(code));
}

/** A backend that answers from a map of routes. A call that the map lacks gets the answer `otherwise`. */
export function backendOfMap(answers: Partial<RouteMap>, otherwise: Answer<never>): Backend {
  return {
    call: async (route, ...[input]) => (await answers[route]?.((input ?? {}) as never)) ?? otherwise,
  };
}

export function refusedAnswer(code: string): Answer<never> {
  return { ok: false, fault: { kind: 'refused', problem: { code }, status: 0, retryAfterMs: null } };
}
