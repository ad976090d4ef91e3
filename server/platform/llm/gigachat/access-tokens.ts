import { createHash } from 'node:crypto';
import type { ModelFailure } from '../language-model.ts';

/** A token and how long it is good (ms). */
export type AccessToken = { value: string; lifeMs: number };
export type TokenOutcome = { ok: true; value: AccessToken } | { ok: false; error: ModelFailure };

export type AccessTokens = {
  /** A token that is good now. Calls at the same time share one exchange, which goes on when one of them is aborted. */
  tokenFor: (key: string, signal: AbortSignal) => Promise<TokenOutcome>;
  /** Forgets a token that was refused, unless another has taken its place. */
  forget: (key: string, token: string) => void;
};

/** How long before its end a token is not used any more (ms). */
const marginMs = 60_000;

type Held = { token: AccessToken | null; until: number; outcome: Promise<TokenOutcome> };

/**
 * Keeps the token that each key was exchanged for until shortly before it ends.
 * @param exchange asks for a token; never rejects
 * @param clock milliseconds since any moment, never set back
 */
export function createAccessTokens(exchange: (key: string) => Promise<TokenOutcome>, clock: () => number): AccessTokens {
  const held = new Map<string, Held>();

  return {
    async tokenFor(key, signal) {
      const name = nameOf(key);
      const known = held.get(name);
      const current = known && clock() < known.until ? known : begin(name, key);
      return Promise.race([current.outcome, whenAborted(signal)]);
    },
    forget(key, token) {
      const name = nameOf(key);
      if (held.get(name)?.token?.value === token) held.delete(name);
    },
  };

  function begin(name: string, key: string): Held {
    for (const [other, { until }] of held) if (until <= clock()) held.delete(other);
    const entry: Held = { token: null, until: Number.POSITIVE_INFINITY, outcome: exchange(key) };
    held.set(name, entry);
    void entry.outcome.then((outcome) => {
      if (outcome.ok) Object.assign(entry, { token: outcome.value, until: clock() + outcome.value.lifeMs - marginMs });
      else if (held.get(name) === entry) held.delete(name);
    });
    return entry;
  }
}

/** Keys are not kept in memory beside their tokens. */
function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function whenAborted(signal: AbortSignal): Promise<TokenOutcome> {
  const aborted: TokenOutcome = { ok: false, error: { code: 'aborted', transient: false } };
  return new Promise((resolve) => {
    if (signal.aborted) resolve(aborted);
    else signal.addEventListener('abort', () => resolve(aborted), { once: true });
  });
}
