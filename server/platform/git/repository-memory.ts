import { FairQueue, type QueueSlot } from '../fair-queue.ts';
import { GitFailed } from './git-failed.ts';

const mebibyte = 1024 * 1024;
/** Bytes of files of runs that are published at the same time. Those of the largest run, with the files that it began with, have 41 MiB. */
const usualLimits = { inTotal: 512 * mebibyte, ofAccount: 96 * mebibyte, ofEachAccount: 4 * mebibyte };

/** Packs on the disk at the same time: four of the largest, and none of an account beside one. A pack of blobs comes after one of folders. */
export function packLimits(repositoryBytes: number) {
  const ofAccount = repositoryBytes + 64 * mebibyte;
  return { inTotal: 4 * ofAccount, ofAccount, ofEachAccount: 16 * mebibyte };
}

/** The memory of repositories, by account: a small one is read even beside many large ones. */
export class RepositoryMemory {
  readonly #queue: FairQueue;

  constructor(limits = usualLimits) {
    this.#queue = new FairQueue(limits);
  }

  /** Runs work, whose memory grows as it takes more. It is given back at its end. Work whose signal aborts before is not run. */
  async use<T>(account: string, work: (grow: QueueSlot['grow']) => Promise<T>, signal: AbortSignal): Promise<T> {
    const place = await this.#queue.admit(account, { cost: 0, signal });
    try {
      return await work(place.grow);
    } finally {
      place.release();
    }
  }
}

/** Takes memory for files, or throws `GitFailed`. */
export function takeMemory(grow: QueueSlot['grow'], files: readonly { length: number }[]): void {
  if (!grow(files.reduce((sum, { length }) => sum + length, 0))) throw new GitFailed('busy');
}
