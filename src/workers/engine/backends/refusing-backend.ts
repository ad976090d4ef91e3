import type { Answer, Backend } from './port.ts';

/** A backend that answers these calls itself and refuses every other one with this code. */
export function refuseOthers(code: string, calls: Partial<Backend>): Backend {
  const refuse = async () => refusedAnswer(code);
  return new Proxy(calls, { get: (own, name) => own[name as keyof Backend] ?? refuse }) as Backend;
}

export function refusedAnswer(code: string): Answer<never> {
  return { ok: false, fault: { kind: 'refused', problem: { code }, status: 0, retryAfterMs: null } };
}
