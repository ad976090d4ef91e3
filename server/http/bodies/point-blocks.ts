import { performance } from 'node:perf_hooks';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

export type PointBlocks = {
  /** Takes one point. Rejects with a `RateLimiterRes` while the shared counter is spent. */
  consume: (key: string) => Promise<void>;
};

/** The points of a key that this node holds, by the monotonic clock (ms). `left` is null while the counter is spent. */
type Block = { left: number | null; until: number };

/** Keys in memory before expired keys are removed. */
const maxKeys = 10_000;

/**
 * Takes points from a shared counter in blocks and hands them out one by one. The limit holds over all nodes, and the counter is
 * asked once for `size` calls. Unused points of a node are lost when the window ends: the limit is reached up to a block a node early,
 * and never late.
 */
export function createPointBlocks(counter: Pick<RateLimiterPostgres, 'consume'>, size: number): PointBlocks {
  const blocks = new Map<string, Block>();
  const asked = new Map<string, Promise<void>>();

  const keep = (key: string, left: number | null, msBeforeNext: number) => {
    const now = performance.now();
    if (blocks.size >= maxKeys) for (const [known, { until }] of blocks) if (until <= now) blocks.delete(known);
    blocks.set(key, { left, until: now + msBeforeNext });
  };

  const take = async (key: string) => {
    try {
      keep(key, size, (await counter.consume(key, size)).msBeforeNext);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      keep(key, null, refusal.msBeforeNext);
    } finally {
      asked.delete(key);
    }
  };

  /** One request to the shared counter for all callers that wait for the same key. */
  const takeOnce = (key: string): Promise<void> => {
    const known = asked.get(key) ?? take(key);
    asked.set(key, known);
    return known;
  };

  return {
    async consume(key) {
      for (;;) {
        const block = blocks.get(key);
        const leftMs = block ? block.until - performance.now() : 0;
        if (block && leftMs > 0) {
          if (block.left === null) throw new RateLimiterRes(0, leftMs);
          if (block.left > 0) {
            block.left -= 1;
            return;
          }
        }
        await takeOnce(key);
      }
    },
  };
}
