import type { Answer, Backend } from './port.ts';

/** A backend without a server: it gives the answers that it has, and refuses every other call with this code. */
export function createRefusingBackend(code: string, answers: Partial<Backend>): Backend {
  const refuse = async (): Promise<Answer<never>> => refusedAnswer(code);
  return new Proxy(answers, { get: (known, name) => Reflect.get(known, name) ?? refuse }) as Backend;
}

export function refusedAnswer(code: string): Answer<never> {
  return { ok: false, fault: { kind: 'refused', problem: { code }, status: 0, retryAfterMs: null } };
}
