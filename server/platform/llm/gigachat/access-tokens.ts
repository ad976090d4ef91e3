import { createHash } from 'node:crypto';
import type { ModelFailure } from '../language-model.ts';

/** A token and its expiry (ms). */
type AccessToken = { value: string; lifeMs: number };
export type TokenOutcome = { ok: true; value: AccessToken } | { ok: false; error: ModelFailure };

export type AccessTokens = {
  /** Returns a valid token. Concurrent calls share one exchange, which continues when one of them is aborted. */
  tokenFor: (key: string, signal: AbortSignal) => Promise<TokenOutcome>;
  /** Removes a token that was refused, unless a newer one has replaced it. */
  forget: (key: string, token: string) => void;
};

/** How long before its expiry a token is replaced (ms). */
const marginMs = 60_000;

type Held = { token: AccessToken | null; until: number; outcome: Promise<TokenOutcome> };

/**
 * Caches the token of each key until shortly before it expires.
 * @param exchange requests a token; never rejects
 * @param clock monotonic milliseconds
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

/** The cache stores a hash of each key, not the key. */
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
