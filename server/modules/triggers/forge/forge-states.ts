import { type ForgeState, type ForgeThreadShown, shownThreads } from '../../../../contract/trigger.ts';
import type { Db } from '../../../platform/database/database.ts';
import { desc, eq, inArray, sql } from '../../../platform/database/drizzle.ts';
import type { ForgeTarget } from '../../publishing/index.ts';
import type { TriggerRow } from '../tables.ts';
import { kindOf } from '../trigger-kinds.ts';
import { forgeReadings, forgeThreads } from './tables.ts';

export type ForgeStates = {
  /** Returns the states of those of a project's triggers that read a repository, by their ids. */
  statesOf: (triggers: readonly TriggerRow[]) => Promise<Map<string, ForgeState>>;
  threadsOf: (trigger: TriggerRow) => Promise<ForgeThreadShown[]>;
  /** Reads all issues with the label next time. What was handled stays so. */
  readAnew: (tx: Db, triggerId: string) => Promise<void>;
};

type StatesDeps = { db: Db; targetOf: (projectId: string) => Promise<ForgeTarget | null> };

/** Shows how far the repository of a trigger was read, and its newest issues. */
export function createForgeStates({ db, targetOf }: StatesDeps): ForgeStates {
  return {
    readAnew: async (tx, triggerId) => {
      await tx.update(forgeReadings).set({ hasLabelled: false }).where(eq(forgeReadings.triggerId, triggerId));
    },
    statesOf: async (triggers) => {
      const reading = triggers.filter((trigger) => kindOf(trigger).readsRepository);
      const [first] = reading;
      if (!first) return new Map();
      const ids = reading.map(({ id }) => id);
      const target = await targetOf(first.projectId);
      const { url, login, readAt, problem, problemText, notBefore } = forgeReadings;
      const waitsUntil = sql<Date | null>`CASE WHEN ${notBefore} > now() THEN ${notBefore} END`.mapWith(notBefore);
      const columns = { triggerId: forgeReadings.triggerId, url, login, readAt, problem, problemText, waitsUntil };
      const rows = await db.select(columns).from(forgeReadings).where(inArray(forgeReadings.triggerId, ids));
      const known = new Map(rows.map((row) => [row.triggerId, row]));
      return new Map(ids.map((id) => [id, toState(target, known.get(id))]));
    },
    threadsOf: async (trigger) => {
      if (!kindOf(trigger).readsRepository) return [];
      const rows = await db
        .select({
          thread: forgeThreads,
          status: sql<string | null>`(SELECT status FROM executions WHERE executions.id = ${forgeThreads.executionId})`,
        })
        .from(forgeThreads)
        .where(eq(forgeThreads.triggerId, trigger.id))
        .orderBy(desc(forgeThreads.updatedAt))
        .limit(shownThreads);
      return rows.map(({ thread: { number, title, page, state, problem, requestNumber, requestUrl, executionId, updatedAt }, status }) => ({
        number,
        title,
        url: page,
        state,
        problem,
        updatedAt: updatedAt.toISOString(),
        request: requestNumber === null || requestUrl === null ? null : { number: requestNumber, url: requestUrl },
        run: executionId === null || status === null ? null : { id: executionId, status },
      }));
    },
  };
}

type ShownReading = Pick<typeof forgeReadings.$inferSelect, 'url' | 'login' | 'readAt' | 'problem' | 'problemText'> & {
  waitsUntil: Date | null;
};

function toState(target: ForgeTarget | null, reading: ShownReading | undefined): ForgeState {
  const { login = null, readAt = null, problem = null, problemText = null, waitsUntil = null } = reading ?? {};
  const isKnown = target !== null && (reading?.url ?? target.url) === target.url;
  return {
    url: target?.url ?? null,
    forge: target?.forge ?? null,
    login: isKnown ? login : null,
    readAt: isKnown && readAt ? readAt.toISOString() : null,
    problem: target === null ? 'no_target' : problem,
    problemText: target === null ? null : problemText || null,
    waitsUntil: target !== null && waitsUntil ? waitsUntil.toISOString() : null,
  };
}
