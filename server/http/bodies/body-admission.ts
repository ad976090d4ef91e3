import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../fault.ts';
import { whenAnswered } from '../when-answered.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The room that the request's body takes; null for a small one. */
    bodyLease: BodyLease | null;
  }
}

export type BodyLease = {
  /** Resolves when the body may be parsed and worked on. A large one waits until few enough others are. */
  takeTurn: () => Promise<void>;
  /** Set while a handler works on the body: its room is then kept beyond a lost connection. */
  isInUse: boolean;
  release: () => void;
};

const mebibyte = 1024 * 1024;
/** Bodies below this size are not counted (bytes). */
const countedBytes = 64 * 1024;
/** Bodies that one account, or one address without an account, may have in flight. */
const maxOfCaller = { bytes: 32 * mebibyte, count: 64 };
const maxInTotal = { bytes: 256 * mebibyte, count: 512 };
/** Large bodies that are parsed and worked on at the same time. */
const maxTurns = 2;
const retryAfterSeconds = 2;

type Usage = { bytes: number; count: number };

export type BodyLimitsInFlight = {
  maxOfCaller: Usage;
  maxInTotal: Usage;
  /** What a caller is told who has too much in flight. */
  refusal: 'too_many_bodies' | 'too_many_requests';
};

/**
 * Bounds the bodies in flight by bytes and number, for each caller and in total. A body counts from its headers until its answer, with
 * the length that they announce, or with the most that its route takes.
 */
export class BodyAdmission {
  readonly #limits: BodyLimitsInFlight;
  readonly #total: Usage = { bytes: 0, count: 0 };
  readonly #byCaller = new Map<string, Usage>();
  readonly #waiting: (() => void)[] = [];
  #turns = 0;

  constructor(limits: BodyLimitsInFlight = { maxOfCaller, maxInTotal, refusal: 'too_many_bodies' }) {
    this.#limits = limits;
  }

  /** Throws the refusal when the caller has too much in flight, `busy` when all callers together have. */
  admit(caller: string, bytes: number): BodyLease {
    const own = this.#byCaller.get(caller) ?? { bytes: 0, count: 0 };
    const { maxOfCaller, maxInTotal, refusal } = this.#limits;
    if (isOver(own, bytes, maxOfCaller)) throw new Fault(refusal, { retryAfterSeconds });
    if (isOver(this.#total, bytes, maxInTotal)) throw new Fault('busy', { retryAfterSeconds });
    this.#byCaller.set(caller, own);
    for (const usage of [own, this.#total]) add(usage, bytes, 1);
    let state: 'admitted' | 'waiting' | 'working' | 'released' = 'admitted';
    const leave = () => {
      this.#turns -= 1;
      this.#waiting.shift()?.();
    };
    return {
      isInUse: false,
      takeTurn: () =>
        new Promise((resolve) => {
          if (state !== 'admitted') return resolve();
          const begin = () => {
            this.#turns += 1;
            // The request may have ended while it waited.
            if (state === 'released') leave();
            else state = 'working';
            resolve();
          };
          state = 'waiting';
          if (this.#turns < maxTurns) begin();
          else this.#waiting.push(begin);
        }),
      release: () => {
        if (state === 'released') return;
        const worked = state === 'working';
        state = 'released';
        for (const usage of [own, this.#total]) add(usage, -bytes, -1);
        if (own.count === 0) this.#byCaller.delete(caller);
        if (worked) leave();
      },
    };
  }
}

function isOver(usage: Usage, bytes: number, max: Usage): boolean {
  return usage.bytes + bytes > max.bytes || usage.count + 1 > max.count;
}

function add(usage: Usage, bytes: number, count: number): void {
  usage.bytes += bytes;
  usage.count += count;
}

/** A body that takes long to parse and to work on. */
export function holdsLargeBody(bytes: number): boolean {
  return bytes > mebibyte;
}

/** Admits each body before it is read. Its room is free again with the answer, or when the work on it is done where that is later. */
export function admitBodies(app: FastifyInstance): void {
  const admission = new BodyAdmission();
  app.decorateRequest('bodyLease', null);
  app.addHook('preParsing', async (request, reply) => {
    const bytes = announcedBytes(request);
    if (bytes < countedBytes || bytes > request.routeOptions.bodyLimit) return;
    const lease = admission.admit(request.signedIn?.id ?? request.ip, bytes);
    request.bodyLease = lease;
    whenAnswered(request, reply, () => {
      if (!lease.isInUse) lease.release();
    });
  });
}

/** The length that the headers announce; without one, the most that the route takes. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return routeOptions.bodyLimit;
  return Number(headers['content-length'] ?? 0);
}
