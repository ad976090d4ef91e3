import type { z } from 'zod';
import type { ResultItem, ResultStatistics, ResultUpdate, resultCreation } from '../../../contract/executions/result.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { ProjectService } from '../projects/index.ts';
import { defaultEnding, type ParsedResult, readResult, resultChange } from './read-result.ts';
import { itemOf, mergedMetadata, type RecordedRun, type RunOutcome } from './recorder.ts';
import { type NewResult, type ResultFilter, type ResultRow, resultRepository, toResultItem } from './repository.ts';

type ResultsDeps = {
  db: Db;
  newId: () => string;
  now: () => Date;
  projects: Pick<ProjectService, 'resolve'>;
  executions: {
    /** Returns the project and the task of the user's own execution, or null. */
    taskOf: (userId: OwnerId, executionId: string) => Promise<{ projectId: string; initialTask: string } | null>;
    /** Returns the work of the user's own execution, with its outcome once it has ended; null for an unknown one. Throws before it has begun. */
    recorded: (userId: OwnerId, executionId: string) => Promise<{ run: RecordedRun; outcome: RunOutcome | null } | null>;
  };
};

export type Results = ReturnType<typeof createResults>;
type Creation = z.output<typeof resultCreation>;
type Page = { limit: number; offset: number };

/** The longest metadata of an item (characters). */
const maxMetadataLength = 200_000;

/** The history of a user's runs: one item for each run. */
export function createResults({ db, newId, now, projects, executions }: ResultsDeps) {
  const repository = resultRepository(db);

  const changed = async (tx: Db, known: ResultRow, given: ParsedResult, language: Language): Promise<ResultRow> => {
    const metadata = merged(known.metadata, given.metadata, language);
    return resultRepository(tx).update(known.id, { ...resultChange(known, given), metadata, removedAt: null });
  };

  return {
    /** Newest first. */
    async list(userId: OwnerId, projectId: string, filter: ResultFilter, page: Page): Promise<{ items: ResultItem[]; total: number }> {
      return repository.list(userId, await projects.resolve(userId, projectId), filter, page);
    },

    async statistics(userId: OwnerId, projectId: string): Promise<ResultStatistics> {
      return repository.statistics(userId, await projects.resolve(userId, projectId));
    },

    async get(userId: OwnerId, id: string): Promise<ResultItem> {
      return orNotFound(await repository.find(userId, id));
    },

    /**
     * Creates the item of a run, or updates the existing one. An ended run is never set back to
     * Processing by a late message.
     */
    async save(
      userId: OwnerId,
      creation: Creation,
      language: Language,
      storeIdempotentResponse: StoreIdempotentResponse,
    ): Promise<ResultItem> {
      const { projectId, pipelineExecutionId, ...told } = creation;
      const execution = await executions.taskOf(userId, pipelineExecutionId);
      if (execution === null || (await projects.resolve(userId, projectId)) !== execution.projectId) throw new ApiError('not_found');
      const read = readResult(told, now());
      const given = { ...read, ending: { ...defaultEnding, ...read.ending } };
      return db.transaction(async (tx) => {
        const first = {
          id: newId(),
          userId,
          projectId: execution.projectId,
          pipelineExecutionId,
          userRequest: execution.initialTask,
          ...given.fields,
          ...given.ending,
          metadata: merged('{}', given.metadata, language),
        };
        const row = await oneOf(tx, pipelineExecutionId, first, (known) => changed(tx, known, given, language));
        await storeIdempotentResponse(tx, toResultItem(row));
        return toResultItem(row);
      });
    },

    /** Changes the given fields. */
    async update(userId: OwnerId, id: string, update: ResultUpdate, language: Language): Promise<ResultItem> {
      return db.transaction(async (tx) => {
        const known = orNotFound(await resultRepository(tx).lock(userId, id));
        return toResultItem(await changed(tx, known, readResult(update, now()), language));
      });
    },

    /** Returns the item of a run, created from its execution if there is none. Restores a removed one. */
    async fromExecution(userId: OwnerId, executionId: string): Promise<ResultItem> {
      const recorded = orNotFound(await executions.recorded(userId, executionId));
      return db.transaction(async (tx) => {
        const item = itemOf(recorded.run, recorded.outcome, newId(), now());
        const row = await oneOf(tx, executionId, item, async (known) =>
          known.removedAt === null ? known : resultRepository(tx).update(known.id, { removedAt: null }),
        );
        return toResultItem(row);
      });
    },

    async remove(userId: OwnerId, id: string): Promise<void> {
      if (!(await repository.remove(userId, id))) throw new ApiError('not_found');
    },
  };

  /** Creates the item of an execution, or updates the existing one under its lock. */
  async function oneOf(tx: Db, executionId: string, first: NewResult, known: (row: ResultRow) => Promise<ResultRow>): Promise<ResultRow> {
    const inside = resultRepository(tx);
    const there = await inside.lockByExecution(executionId);
    if (there) return known(there);
    const stored = await inside.insert(first);
    if (stored) return stored;
    const other = await inside.lockByExecution(executionId);
    if (!other) throw new Error('The history item was not stored.');
    return known(other);
  }
}

function merged(text: string, added: Record<string, unknown>, language: Language): string {
  const metadata = mergedMetadata(text, added);
  if (metadata.length <= maxMetadataLength) return metadata;
  throw new ApiError('bad_request', { errors: [{ path: 'metadata', message: translate(language, 'field.metadata_long') }] });
}
