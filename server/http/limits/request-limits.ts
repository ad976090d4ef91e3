import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../api-error.ts';
import { addressKey } from './address-key.ts';

/** Requests in `seconds`. Ten polling tabs or an import of thousands of records stay far below; an endless loop does not. */
export const requestLimits = {
  account: { points: 30_000, seconds: 60 },
  address: { points: 120_000, seconds: 60 },
} as const;

export type RequestLimits = {
  /** Counts a request before its token is checked. Throws `too_many_requests`. */
  countAddress: (address: string) => Promise<void>;
  /** Counts a request of a signed-in account. Throws `too_many_requests`. */
  countAccount: (userId: string) => Promise<void>;
};

/** The limits of every route. Each node counts in memory: a request costs no write, and needs no database. */
export function createRequestLimits(
  limits: Record<keyof typeof requestLimits, { points: number; seconds: number }> = requestLimits,
): RequestLimits {
  const counterOf = ({ points, seconds }: { points: number; seconds: number }) => new RateLimiterMemory({ points, duration: seconds });
  const [accounts, addresses] = [counterOf(limits.account), counterOf(limits.address)];
  return {
    countAddress: (address) => takePoint(addresses, addressKey(address)),
    countAccount: (userId) => takePoint(accounts, userId),
  };
}

/** Takes a point from a counter of this node. Throws `too_many_requests` when it is spent. */
export async function takePoint(counter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await counter.consume(key);
  } catch (refusal) {
    throw refusal instanceof RateLimiterRes ? tooManyRequests(refusal) : refusal;
  }
}

/** The error for a request whose counter is spent. */
export function tooManyRequests({ msBeforeNext }: RateLimiterRes): ApiError {
  return new ApiError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
}
