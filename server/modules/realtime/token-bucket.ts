export type TokenBucket = {
  /** Takes `cost` tokens, one by default. Returns false and takes none when there are too few. */
  take: (cost?: number) => boolean;
};

/**
 * Allows bursts of `burst` and a mean rate of `perSecond`. It has no timer and no promise, so it costs a few additions a message;
 * libraries' limiters keep a timer and a promise for each.
 */
export function createTokenBucket({ perSecond, burst }: { perSecond: number; burst: number }, nowMs: () => number): TokenBucket {
  let tokens = burst;
  let filledAt = nowMs();
  return {
    take(cost = 1) {
      const now = nowMs();
      tokens = Math.min(burst, tokens + (Math.max(0, now - filledAt) * perSecond) / 1_000);
      filledAt = now;
      if (tokens < cost) return false;
      tokens -= cost;
      return true;
    },
  };
}
