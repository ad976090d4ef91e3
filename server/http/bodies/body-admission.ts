import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FairQueue, type QueueSlot } from '../../platform/fair-queue.ts';
import { ApiError } from '../api-error.ts';
import { addressKey } from '../limits/address-key.ts';
import { onResponseEnd } from '../on-response-end.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reservation of memory for the request's body; null for a small body. */
    bodyLease: BodyLease | null;
  }
}

type BodyLease = {
  /** Resolves when the body may be parsed and handled. A large body waits for its turn. */
  takeTurn: () => Promise<void>;
  /** Set while a handler works on the body: the reservation then outlives a lost connection. */
  isInUse: boolean;
  /** Reserves what a body without an announced length has beyond what it had. Throws as `admit` does. */
  grow: (bytes: number) => void;
  release: () => void;
};

const mebibyte = 1024 * 1024;
/** Bodies below this size are not counted (bytes). A body without an announced length is reserved in steps of this size. */
const countedBytes = 64 * 1024;
/** Bodies that one account, or one address without an account, may have in flight. */
const maxOfCaller = { bytes: 32 * mebibyte, count: 64 };
/** The maximum of bodies in flight of one address, over all its accounts. The remaining capacity is for other addresses. */
const maxOfAddress = { bytes: 192 * mebibyte, count: 384 };
const maxInTotal = { bytes: 256 * mebibyte, count: 512 };
/** Large bodies that are parsed and worked on at the same time; accounts take turns. */
const turnLimits = { inTotal: 2, ofAccount: 1 };
const retryAfterSeconds = 2;

type Usage = { bytes: number; count: number };

type BodyLimitsInFlight = {
  maxOfCaller: Usage;
  maxOfAddress: Usage;
  maxInTotal: Usage;
  /** The code of the error for a caller that has too much in flight. */
  refusal: 'too_many_bodies' | 'too_many_requests';
};

/** The account that sends a request, or its address without an account; and the address. */
type Caller = { id: string; address: string };

/**
 * Bounds the bodies in flight by bytes and number: for each account, for each address, and in total. A body counts from its headers until
 * its answer, with the length that they announce, or with what has come of it.
 */
export class BodyAdmission {
  readonly #limits: BodyLimitsInFlight;
  readonly #total: Usage = { bytes: 0, count: 0 };
  readonly #byCaller = new Map<string, Usage>();
  readonly #byAddress = new Map<string, Usage>();
  readonly #turns = new FairQueue(turnLimits);

  constructor(limits: BodyLimitsInFlight = { maxOfCaller, maxOfAddress, maxInTotal, refusal: 'too_many_bodies' }) {
    this.#limits = limits;
  }

  /** Throws the refusal when the caller or its address has too much in flight, and `busy` when all callers together have. */
  admit(caller: Caller, bytes: number): BodyLease {
    this.checkLimits(caller, bytes);
    return this.count(caller, bytes);
  }

  /** Throws as `admit` does, and counts nothing. */
  checkLimits({ id, address }: Caller, bytes: number, count = 1): void {
    const { maxOfCaller, maxOfAddress, maxInTotal, refusal } = this.#limits;
    const more = { bytes, count };
    const isFull = isOver(this.#byCaller.get(id) ?? none, more, maxOfCaller);
    if (isFull || isOver(this.#byAddress.get(address) ?? none, more, maxOfAddress)) throw new ApiError(refusal, { retryAfterSeconds });
    if (isOver(this.#total, more, maxInTotal)) throw new ApiError('busy', { retryAfterSeconds });
  }

  /** Reserves without a check, for data that must be accepted. */
  count(caller: Caller, bytes: number): BodyLease {
    const { id, address } = caller;
    let reserved = bytes;
    const usages = [usageOf(this.#byCaller, id), usageOf(this.#byAddress, address), this.#total];
    for (const usage of usages) add(usage, bytes, 1);
    const turn = new BodyTurn(this.#turns, id);
    let isReleased = false;
    return {
      isInUse: false,
      takeTurn: () => turn.take(),
      grow: (more) => {
        if (isReleased) return;
        this.checkLimits(caller, more, 0);
        for (const usage of usages) add(usage, more, 0);
        reserved += more;
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        for (const usage of usages) add(usage, -reserved, -1);
        if (this.#byCaller.get(id)?.count === 0) this.#byCaller.delete(id);
        if (this.#byAddress.get(address)?.count === 0) this.#byAddress.delete(address);
        turn.end();
      },
    };
  }
}

/** The turn of one body. A request may end while it waits: it then leaves the queue. */
class BodyTurn {
  readonly #queue: FairQueue;
  readonly #caller: string;
  #taken: Promise<void> | null = null;
  #end: () => void = () => {};
  #hasEnded = false;

  constructor(queue: FairQueue, caller: string) {
    this.#queue = queue;
    this.#caller = caller;
  }

  take(): Promise<void> {
    if (this.#hasEnded) return Promise.resolve();
    this.#taken ??= new Promise((resolve) => {
      let place: QueueSlot | null = null;
      const { leave } = this.#queue.enter(this.#caller, 1, (given) => {
        place = given;
        resolve();
      });
      this.#end = () => {
        leave();
        place?.release();
        resolve();
      };
    });
    return this.#taken;
  }

  end(): void {
    this.#hasEnded = true;
    this.#end();
  }
}

const none: Readonly<Usage> = { bytes: 0, count: 0 };

function usageOf(usages: Map<string, Usage>, key: string): Usage {
  const usage = usages.get(key) ?? { ...none };
  usages.set(key, usage);
  return usage;
}

function isOver(usage: Readonly<Usage>, more: Usage, max: Usage): boolean {
  return usage.bytes + more.bytes > max.bytes || usage.count + more.count > max.count;
}

function add(usage: Usage, bytes: number, count: number): void {
  usage.bytes += bytes;
  usage.count += count;
}

/** Whether a body takes long to parse and to handle. */
export function holdsLargeBody(bytes: number): boolean {
  return bytes > mebibyte;
}

/** Admits each body before it is read. Releases it with the answer or with a refusal, or after the handler where that ends later. */
export function admitBodies(app: FastifyInstance): void {
  const admission = new BodyAdmission();
  app.decorateRequest('bodyLease', null);
  app.addHook('preParsing', async (request, reply, payload) => {
    const isAnnounced = request.headers['transfer-encoding'] === undefined;
    const bytes = isAnnounced ? Number(request.headers['content-length'] ?? 0) : countedBytes;
    if (bytes < countedBytes || bytes > request.routeOptions.bodyLimit) return;
    const lease = admission.admit(callerOf(request), bytes);
    request.bodyLease = lease;
    onResponseEnd(request, reply, () => {
      if (!lease.isInUse) lease.release();
    });
    return isAnnounced ? payload : growing(payload, lease);
  });
  // A refused body is released at once: its answer may wait behind an earlier answer of the same connection.
  app.addHook('onError', async ({ bodyLease }) => {
    if (bodyLease?.isInUse === false) bodyLease.release();
  });
}

export function callerOf({ signedIn, address }: FastifyRequest): Caller {
  const key = addressKey(address);
  return { id: signedIn?.id ?? key, address: key };
}

export async function whileInUse<T>(lease: BodyLease | null, work: () => Promise<T>): Promise<T> {
  if (lease === null) return work();
  lease.isInUse = true;
  try {
    return await work();
  } finally {
    lease.release();
  }
}

/** Hands on a body, and reserves its memory as it comes. One that finds no room fails with the refusal. */
function growing(payload: Readable, lease: BodyLease): Transform {
  let free = countedBytes;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, handOn) {
      free -= chunk.length;
      try {
        for (; free < 0; free += countedBytes) lease.grow(countedBytes);
        handOn(null, chunk);
      } catch (error) {
        handOn(error as Error);
      }
    },
  });
  payload.once('error', (error) => counted.destroy(error));
  payload.once('close', () => payload.readableEnded || counted.destroy(new Error('The body ended early.')));
  return payload.pipe(counted);
}
