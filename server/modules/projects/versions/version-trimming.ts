import { singleFlight } from '../../../../async/single-flight.ts';
import type { Db } from '../../../platform/database/database.ts';
import { oversizedProjects, trimVersions } from './trim-versions.ts';

type TrimmingDependencies = {
  db: Db;
  maxBytes: number;
  onFailed: (error: unknown, projectId: string) => void;
};

/** The wait while another process removes versions of a project (ms). */
const busyMs = 1_000;

/** Trims the versions of projects apart from their saves, one project after another. */
export class VersionTrimming {
  readonly #deps: TrimmingDependencies;
  readonly #waiting = new Set<string>();
  readonly #closing = new AbortController();

  constructor(deps: TrimmingDependencies) {
    this.#deps = deps;
  }

  /** Trims a project soon, also when it is being trimmed now. Resolves when no project waits any more. A failure is reported, and never thrown. */
  async trim(projectId: string): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#waiting.add(projectId);
    await this.#trimAll();
  }

  /** Trims what an earlier process has left. */
  async trimOversized(): Promise<void> {
    const { db, maxBytes } = this.#deps;
    await Promise.all((await oversizedProjects(db, maxBytes)).map((id) => this.trim(id)));
  }

  /** Stops after the batch that is under way. What is left is trimmed after the next save or start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#trimAll.settled();
  }

  /** Runs again after a call meanwhile, which has added a project. */
  readonly #trimAll = singleFlight(
    async (): Promise<void> => {
      const { db, maxBytes, onFailed } = this.#deps;
      const { signal } = this.#closing;
      // A set also yields what is added while it is read.
      for (const id of this.#waiting) {
        this.#waiting.delete(id);
        if (signal.aborted) break;
        const result = await trimVersions(db, id, maxBytes, signal).catch((error: unknown) => onFailed(error, id));
        if (result === 'busy') setTimeout(() => void this.trim(id), busyMs).unref();
      }
    },
    { rerun: true },
  );
}
