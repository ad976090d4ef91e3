import { LRUCache } from 'lru-cache';
import { ApiError } from '../../http/api-error.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { quotaReached } from './quota-reached.ts';
import { type Measured, type Reserved, storageStatements } from './storage-statements.ts';

type AccountStorageDeps = {
  /** For short statements, on connections of its own: a write may hold one while it waits for another. */
  run: RunStatement;
  /** For the measurement, which may take longer. */
  measuring: RunStatement;
  /** The most bytes of an account; null for no limit. */
  limitBytes: number | null;
  /** The bytes that are free on the database's disk; null if the database is elsewhere. */
  freeBytes: (() => Promise<number>) | null;
  /** With fewer bytes free, writes are refused. */
  minFreeBytes: number;
  /** A monotonic clock (ms). */
  elapsed: () => number;
  onFailed: (error: unknown) => void;
};

/** `data` is refused at the limit, `edits` a tenth above it. */
type StoredWrite = { userId: OwnerId; bytes: number; grade?: 'data' | 'edits' };

/** What one server node knows of an account. */
type Known = {
  /** The bytes in all as of `readAt`; null until they were read. */
  total: number | null;
  readAt: number;
  /** Bytes of small writes that this node has not yet added to the account. */
  unwritten: number;
  measuredAt: number;
  measureMs: number;
  /** Something was stored or removed since it was measured. */
  hasChanged: boolean;
  measuring: Promise<Measured> | null;
  measured: Measured | null;
};

const kibibyte = 1024;
/** A smaller write is counted in memory, and costs no statement. */
const smallBytes = 64 * kibibyte;
/** What a node counts in memory for one account before it writes it down: nodes exceed a limit by no more than that each. */
const maxUnwritten = 1024 * kibibyte;
/** A total is used in memory for so long (ms). */
const totalMs = 10_000;
/** A measurement is repeated after so long (ms), and after so many times as long as it took. */
const pauses = { refusedMs: 1_000, shownMs: 5_000, usualMs: 60_000, share: 20 };
/** A measurement reads the heads of all rows of an account: few at a time. */
const measureLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 1_000, maxPerAccount: 2 };
/** Edits may go so far beyond the limit: a full account can still be put in order. */
const editsShare = 1.1;
const maxKnown = 10_000;

/**
 * Keeps each account below its limit of bytes. A large write reserves its bytes in one statement before it begins, so that no number of
 * parallel writes exceeds the limit. Small ones are counted in memory. What runs store is found when the account is measured.
 *
 * @example await storage.storing({ userId, bytes: file.length }, () => repository.put(file))
 */
export class AccountStorage {
  readonly #deps: AccountStorageDeps;
  readonly #statements: ReturnType<typeof storageStatements>;
  readonly #measurements = new AdmissionQueue(measureLimits);
  readonly #known = new LRUCache<string, Known>({ max: maxKnown });

  constructor(deps: AccountStorageDeps) {
    this.#deps = deps;
    this.#statements = storageStatements(deps.run, deps.measuring);
  }

  /** Carries out a write that stores `bytes`. Throws `storage_full` on a full disk, and `quota_reached` when they do not fit. */
  async storing<T>(write: StoredWrite, work: () => Promise<T>): Promise<T> {
    await this.#checkDisk(write);
    const end = await this.#admit(write);
    try {
      const done = await work();
      await end(true);
      return done;
    } catch (error) {
      await end(false);
      throw error;
    }
  }

  /** Tells that the account has removed something: the next write that finds it full measures it again. */
  freed(userId: OwnerId): void {
    this.#of(userId).hasChanged = true;
  }

  /** Returns what the account stores, as of a few seconds ago. What this node has stored or removed for it is counted. */
  async latest(userId: OwnerId): Promise<Measured> {
    const known = this.#of(userId);
    const isRecent = !known.hasChanged && !this.#isOlder(known, pauses.shownMs);
    return isRecent && known.measured !== null ? known.measured : this.measure(userId);
  }

  /** Returns what the account stores, as of about now. */
  async measure(userId: OwnerId): Promise<Measured> {
    const known = this.#of(userId);
    known.measuring ??= this.#measurements
      .run(userId, () => this.#measureNow(userId, known))
      .finally(() => {
        known.measuring = null;
      });
    return known.measuring;
  }

  async #checkDisk({ bytes, grade = 'data' }: StoredWrite): Promise<void> {
    const { freeBytes, minFreeBytes } = this.#deps;
    if (freeBytes === null || minFreeBytes === 0) return;
    const floor = grade === 'data' || bytes > smallBytes ? minFreeBytes : minFreeBytes / 2;
    if ((await freeBytes()) < floor) throw new ApiError('storage_full');
  }

  /** Counts the write, and returns the function that ends it. */
  async #admit({ userId, bytes, grade = 'data' }: StoredWrite): Promise<(isStored: boolean) => Promise<void>> {
    const { limitBytes, elapsed } = this.#deps;
    if (limitBytes === null) return async () => {};
    const limit = grade === 'edits' ? Math.floor(limitBytes * editsShare) : limitBytes;
    const known = this.#of(userId);
    const isSmall = bytes <= smallBytes;
    const inMemory = known.unwritten + bytes;
    const isKnown = known.total !== null && elapsed() - known.readAt < totalMs;
    if (isSmall && isKnown && inMemory <= maxUnwritten && (known.total ?? 0) + inMemory <= limit) known.unwritten = inMemory;
    else await this.#reserve(userId, known, { bytes, isSmall, limit });
    return async (isStored) => {
      known.hasChanged = true;
      if (isSmall) known.unwritten -= isStored ? 0 : bytes;
      else await this.#statements.settle(userId, { reserved: bytes, stored: isStored ? bytes : 0 }).catch(this.#deps.onFailed);
    };
  }

  /** Reserves a write in the database, with what this node has not yet written down. A refusal measures the account first. */
  async #reserve(userId: OwnerId, known: Known, asked: { bytes: number; isSmall: boolean; limit: number }): Promise<void> {
    if (await this.#attempt(userId, known, asked)) return;
    const isDue = known.hasChanged || this.#isOlder(known, pauses.refusedMs);
    const measured = isDue || known.measured === null ? await this.measure(userId) : known.measured;
    if (!(await this.#attempt(userId, known, asked))) throw quotaReached(measured.kinds, this.#deps.limitBytes ?? asked.limit);
  }

  async #attempt(
    userId: OwnerId,
    known: Known,
    { bytes, isSmall, limit }: { bytes: number; isSmall: boolean; limit: number },
  ): Promise<boolean> {
    const { unwritten } = known;
    known.unwritten = 0;
    let found: Reserved | null = null;
    try {
      found = await this.#statements.reserve(userId, {
        stored: unwritten + (isSmall ? bytes : 0),
        reserved: isSmall ? 0 : bytes,
        limit,
      });
    } finally {
      if (found === null) known.unwritten += unwritten;
    }
    if (found === null) return false;
    known.total = found.total;
    known.readAt = this.#deps.elapsed();
    const isOld = found.ageMs > pauses.usualMs && this.#isOlder(known, pauses.usualMs);
    if (isOld) void this.measure(userId).catch(this.#deps.onFailed);
    return true;
  }

  async #measureNow(userId: OwnerId, known: Known): Promise<Measured> {
    const { unwritten } = known;
    // Small writes that have ended are among what is measured.
    known.unwritten = 0;
    known.hasChanged = false;
    known.measuredAt = this.#deps.elapsed();
    try {
      known.measured = await this.#statements.measure(userId);
    } catch (error) {
      known.unwritten += unwritten;
      throw error;
    }
    known.measureMs = this.#deps.elapsed() - known.measuredAt;
    known.readAt = Number.NEGATIVE_INFINITY;
    return known.measured;
  }

  /** Whether this node has measured the account more than `leastMs` ago. */
  #isOlder({ measuredAt, measureMs }: Known, leastMs: number): boolean {
    return this.#deps.elapsed() - measuredAt > Math.max(leastMs, measureMs * pauses.share);
  }

  #of(userId: OwnerId): Known {
    const never = Number.NEGATIVE_INFINITY;
    const known = this.#known.get(userId) ?? {
      total: null,
      readAt: never,
      unwritten: 0,
      measuredAt: never,
      measureMs: 0,
      hasChanged: false,
      measuring: null,
      measured: null,
    };
    this.#known.set(userId, known);
    return known;
  }
}
