import type { Readable } from 'node:stream';
import { type ExportLink, exportLinkSeconds } from '../../../../contract/account.ts';
import { ApiError } from '../../../http/api-error.ts';
import { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import { inTurnOf } from '../../../platform/database/account-turns.ts';
import { type ExportDeps, exportAccount } from './export-account.ts';
import type { ExportLinks, ExportRequest } from './export-links.ts';
import { createZipStream } from './zip-stream.ts';

type ExportServiceDeps = Pick<ExportDeps, 'pool' | 'version'> & {
  links: ExportLinks;
  /** Returns those of these sessions that are open. */
  openSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  log: { warn: (about: object, line: string) => void };
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** The queries of all exports of a node: each reads one page, so exports take turns and leave connections to others. */
const queryLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 1_000, maxPerAccount: 4 };

/** The exports of accounts over HTTP. An account has one at a time on each node. */
export class ExportService {
  readonly #deps: ExportServiceDeps;
  readonly #queries = new AdmissionQueue(queryLimits);
  readonly #running = new Set<string>();
  /** Links that were used here, and when they expire (ms since the epoch). */
  readonly #spent = new Map<string, number>();

  constructor(deps: ExportServiceDeps) {
    this.#deps = deps;
  }

  async link(request: ExportRequest): Promise<ExportLink> {
    const token = await this.#deps.links.sign(request, this.#deps.now());
    return { path: `/api/account/export?token=${token}`, expiresInSeconds: exportLinkSeconds };
  }

  /** Begins the download of a link, once. Throws `unauthorized` when it has expired or its session has ended, and `too_many_requests`. */
  async download(token: string): Promise<{ content: Readable; fileName: string }> {
    const { links, openSessions, pool, version, log, now } = this.#deps;
    const { userId, sessionId, language } = await links.read(token, now());
    if (!(await openSessions([sessionId])).has(sessionId)) throw new ApiError('unauthorized');
    for (const [link, expiresAt] of this.#spent) if (expiresAt < now()) this.#spent.delete(link);
    if (this.#spent.has(token)) throw new ApiError('unauthorized');
    if (this.#running.has(userId)) throw new ApiError('too_many_requests', { retryAfterSeconds: exportLinkSeconds });
    this.#spent.set(token, now() + exportLinkSeconds * 1_000);
    this.#running.add(userId);
    const zip = createZipStream();
    zip.output.once('close', () => this.#running.delete(userId));
    const inTurn = <T>(query: () => Promise<T>) => this.#queries.run(userId, () => inTurnOf(userId, query));
    void exportAccount({ pool, version, inTurn }, zip, { userId, language }).then(zip.end, (error: Error) => {
      log.warn({ err: error, userId }, 'An export of an account was not finished');
      zip.fail(error);
    });
    return { content: zip.output, fileName: `artel-${new Date(now()).toISOString().slice(0, 10)}.zip` };
  }
}
