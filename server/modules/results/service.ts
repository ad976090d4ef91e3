import type { z } from 'zod';
import { type ResultItem, type resultCreation, resultStatus } from '../../../contract/result.ts';
import type { KeepAnswer } from '../../http/call.ts';
import { Fault } from '../../http/fault.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ProjectService } from '../projects/index.ts';
import { mergedMetadata, parsedMetadata } from './recorder.ts';
import { type ResultRow, resultRepository, toResultItem } from './repository.ts';

export type ResultsDeps = {
  db: Db;
  newId: () => string;
  projects: Pick<ProjectService, 'resolve'>;
  executions: {
    /** The project of the user's own execution, or null. */
    projectOf: (userId: string, executionId: string) => Promise<string | null>;
  };
};

export type Results = ReturnType<typeof createResults>;
type Creation = z.output<typeof resultCreation>;

/** The history of a person's runs: one item a run, whoever writes it. */
export function createResults({ db, newId, projects, executions }: ResultsDeps) {
  const repository = resultRepository(db);
  return {
    async list(userId: string, projectId: string, limit: number, offset: number) {
      const resolved = await projects.resolve(userId, projectId);
      return repository.list(userId, resolved, limit, offset);
    },

    async get(userId: string, id: string): Promise<ResultItem> {
      const item = await repository.find(userId, id);
      if (!item) throw new Fault('not_found');
      return item;
    },

    /**
     * Makes the item of a run, or updates and returns the one that is there. A run that has ended is never set back to
     * Processing by a message that comes late.
     */
    async save(userId: string, creation: Creation, keepAnswer: KeepAnswer): Promise<ResultItem> {
      const owned = await executions.projectOf(userId, creation.pipelineExecutionId);
      if (owned === null || (await projects.resolve(userId, creation.projectId)) !== owned) throw new Fault('not_found');
      return db.transaction(async (tx) => {
        const item = toResultItem(await store(tx, userId, owned, creation));
        await keepAnswer(tx, item);
        return item;
      });
    },

    async remove(userId: string, id: string): Promise<void> {
      if (!(await repository.remove(userId, id))) throw new Fault('not_found');
    },
  };

  async function store(tx: Db, userId: string, projectId: string, creation: Creation): Promise<ResultRow> {
    const inside = resultRepository(tx);
    const known = await inside.lockByExecution(creation.pipelineExecutionId);
    if (known) return inside.update(known.id, changeOf(known, creation));
    const row = { ...creation, metadata: mergedMetadata(creation.metadata, {}), id: newId(), userId, projectId };
    const stored = (await inside.insert(row)) ?? (await inside.lockByExecution(creation.pipelineExecutionId));
    if (!stored) throw new Error('The history item was not stored.');
    return stored;
  }
}

function changeOf(known: ResultRow, creation: Creation): Partial<ResultRow> {
  const { projectId: _project, pipelineExecutionId: _execution, status, type, finalResult, metadata, ...rest } = creation;
  const described = { ...rest, metadata: mergedMetadata(known.metadata, parsedMetadata(metadata)), removedAt: null };
  const late = known.status !== resultStatus.processing && status === resultStatus.processing;
  return late ? described : { ...described, status, type, finalResult };
}
