import type { z } from 'zod';
import type { Canvas } from '../../../../contract/canvas.ts';
import {
  type CanvasMark,
  maxHandMarks,
  type VersionComparison,
  type VersionPage,
  type versionQuery,
} from '../../../../contract/canvas-version.ts';
import { ApiError, orNotFound } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { ProjectRepository } from '../repository.ts';
import { withValidLinks } from '../valid-links.ts';
import { type ChangeRow, groupChanges } from './group-changes.ts';
import { dropUnmarked } from './remove-versions.ts';
import { type CanvasState, type KeptVersions, keptVersions, stateAt } from './state-at.ts';
import { versionRepository } from './version-repository.ts';

type VersionDependencies = {
  db: Db;
  /** For transactions that only read. */
  reads: Db;
  /** Returns the id of the user's project, also for `default`. Throws `not_found`. */
  resolve: (userId: OwnerId, id: string) => Promise<string>;
  keepDays: number;
  maxBytes: number;
};

/** A version may be as large as a canvas, and a comparison reads all changes between two. */
const readLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 200, maxPerAccount: 16 };
/** The changes that one page reads, for each of its groups. */
const changesPerGroup = 20;

/** The versions of canvases: list, one of them, comparison, marks. A foreign project is answered like a missing one. */
export class VersionService {
  readonly #deps: VersionDependencies;
  readonly #largeReads = new AdmissionQueue(readLimits);

  constructor(deps: VersionDependencies) {
    this.#deps = deps;
  }

  async list(userId: OwnerId, id: string, { before, limit, search = '' }: z.output<typeof versionQuery>): Promise<VersionPage> {
    const projectId = await this.#deps.resolve(userId, id);
    const { keepDays, maxBytes } = this.#deps;
    return this.#read(async (tx) => {
      const project = await new ProjectRepository(tx).find(userId, projectId);
      const kept = await keptVersions(tx, projectId);
      if (!project || !kept) throw new ApiError('not_found');
      const repository = versionRepository(tx);
      const most = limit * changesPerGroup;
      const from = before ?? kept.current + 1;
      const changes = await repository.changes(projectId, { before: from, limit: most, search });
      const groups = groupChanges(changes);
      const isLastPage = changes.length < most && groups.length <= limit;
      // The last group of a full page may have more changes than were read.
      const shown = groups.slice(0, isLastPage ? limit : Math.max(1, Math.min(limit, groups.length - 1)));
      const oldest = shown.at(-1);
      const isBare = (version: number) => changes.some((change) => change.version === version && change.isBare);
      const hasRow = changes.some(({ version }) => version === kept.floor);
      const mark = isLastPage && !hasRow ? await repository.mark(projectId, kept.floor) : null;
      const hasEarliest = isLastPage && !hasRow && kept.floor > 0 && kept.floor < from && (search === '' || isFound(mark, search));
      const isFull = hasEarliest && shown.length >= limit;
      const items = hasEarliest && !isFull ? withEarliest(shown, changes, { ...kept, mark }) : shown;
      return {
        items,
        next: (isLastPage && !isFull) || !oldest ? null : isBare(oldest.version) ? oldest.version : oldest.from + 1,
        current: kept.current,
        bytes: project.versionsBytes,
        maxBytes,
        keepDays,
        trimmed: project.versionsTrimmed || null,
      };
    });
  }

  /** Throws `not_found` for a version that does not exist yet, and `version_removed` for one that is not kept any more. */
  async version(userId: OwnerId, id: string, version: number, language: Language): Promise<Canvas> {
    const projectId = await this.#deps.resolve(userId, id);
    return this.#largeReads.run(userId, () =>
      this.#read(async (tx) => {
        const state = await this.#state(tx, projectId, version, await this.#kept(tx, projectId), language);
        return { version, ...withValidLinks(await versionRepository(tx).document(state)) };
      }),
    );
  }

  /** Returns the records that differ. The cost grows with the changes between the versions while all of these are kept. */
  async compare(
    userId: OwnerId,
    id: string,
    { left, right }: { left: number; right: number },
    language: Language,
  ): Promise<VersionComparison> {
    const projectId = await this.#deps.resolve(userId, id);
    if (left === right)
      throw new ApiError('bad_request', { errors: [{ path: 'right', message: translate(language, 'field.same_version') }] });
    return this.#largeReads.run(userId, () =>
      this.#read(async (tx) => {
        const kept = await this.#kept(tx, projectId);
        const [from, to] = left < right ? [left, right] : [right, left];
        const repository = versionRepository(tx);
        refuseUnknown(to, kept, language);
        const found =
          from >= kept.floor
            ? await repository.differencesBetween(projectId, from, to)
            : await repository.differencesOf(
                await this.#state(tx, projectId, from, kept, language),
                await this.#state(tx, projectId, to, kept, language),
              );
        return { left, right, ...(left < right ? found : swapped(found)) };
      }),
    );
  }

  /** Marks a version by hand, or renames its mark. */
  async putMark(
    userId: OwnerId,
    id: string,
    version: number,
    mark: { name: string; note: string },
    language: Language,
  ): Promise<CanvasMark> {
    const projectId = await this.#deps.resolve(userId, id);
    return this.#write(userId, projectId, async (tx) => {
      const repository = versionRepository(tx);
      await this.#state(tx, projectId, version, await this.#kept(tx, projectId), language);
      const known = await repository.mark(projectId, version);
      if (known?.kind !== 'hand' && (await repository.handMarks(projectId)) >= maxHandMarks) {
        const message = translate(language, 'field.too_many_marks', { limit: maxHandMarks });
        throw new ApiError('conflict', { sentence: message, errors: [{ path: 'name', message }] });
      }
      return repository.putMark(projectId, version, mark);
    });
  }

  /** Throws `not_found` for a version without a mark. */
  async removeMark(userId: OwnerId, id: string, version: number): Promise<void> {
    const projectId = await this.#deps.resolve(userId, id);
    await this.#write(userId, projectId, async (tx) => {
      if (!(await versionRepository(tx).removeMark(projectId, version))) throw new ApiError('not_found');
      await dropUnmarked(tx, projectId, version);
    });
  }

  #read<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return this.#deps.reads.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' });
  }

  #write<T>(userId: OwnerId, projectId: string, work: (tx: Db) => Promise<T>): Promise<T> {
    return this.#deps.db.transaction(async (tx) => {
      if ((await new ProjectRepository(tx).lockCanvas(userId, projectId)) === null) throw new ApiError('not_found');
      return work(tx);
    });
  }

  async #kept(tx: Db, projectId: string): Promise<KeptVersions> {
    return orNotFound(await keptVersions(tx, projectId));
  }

  async #state(tx: Db, projectId: string, version: number, kept: KeptVersions, language: Language): Promise<CanvasState> {
    refuseUnknown(version, kept, language);
    const state = await stateAt(tx, projectId, version, kept);
    if (!state) throw new ApiError('version_removed');
    return state;
  }
}

function isFound(mark: CanvasMark | null, search: string): boolean {
  return mark !== null && `${mark.name}\n${mark.note}`.toLowerCase().includes(search.toLowerCase());
}

function refuseUnknown(version: number, { current }: KeptVersions, language: Language): void {
  if (version > current)
    throw new ApiError('not_found', { sentence: translate(language, 'field.version_unknown', { version, newest: current }) });
}

function swapped({
  nodes,
  connections,
}: Pick<VersionComparison, 'nodes' | 'connections'>): Pick<VersionComparison, 'nodes' | 'connections'> {
  const swap = <T>({ id, left, right }: { id: string; left?: T | undefined; right?: T | undefined }) => ({ id, left: right, right: left });
  return { nodes: nodes.map(swap), connections: connections.map(swap) };
}

/** Puts the earliest version of an unbroken history in its place: it has no change of its own. */
function withEarliest(
  groups: VersionPage['items'],
  changes: readonly ChangeRow[],
  { floor, mark }: KeptVersions & { mark: CanvasMark | null },
): VersionPage['items'] {
  const counts = { added: 0, removed: 0, changed: 0, moved: 0, linksAdded: 0, linksRemoved: 0, linksChanged: 0 };
  const earliest = { version: floor, from: floor, changes: 0, since: null, at: null, author: null, counts, titles: [], mark };
  const at = groups.findIndex(({ version }) => version < floor);
  if (at < 0 && changes.some(({ version }) => version < floor)) return groups;
  return at < 0 ? [...groups, earliest] : [...groups.slice(0, at), earliest, ...groups.slice(at)];
}
