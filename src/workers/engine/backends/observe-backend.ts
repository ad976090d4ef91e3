import type { Answer, Backend, BackendFault } from './port.ts';

/** The same backend, with `onAnswer` told of each call's fault, or of null when there was none. */
export function observeBackend(backend: Backend, onAnswer: (fault: BackendFault | null) => void): Backend {
  const observed = Object.entries(backend).map(([name, call]) => [
    name,
    async (...sent: unknown[]) => {
      const answer = await (call as (...sent: unknown[]) => Promise<Answer<unknown>>)(...sent);
      onAnswer(answer.ok ? null : answer.fault);
      return answer;
    },
  ]);
  return Object.fromEntries(observed) as Backend;
}
