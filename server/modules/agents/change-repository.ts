import { type AgentChange, agentChange, type ChangeCause, type PromptChange, promptChange } from '../../../contract/agent-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, desc, eq, getTableColumns, lt, sql } from '../../platform/database/drizzle.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { agentChanges, agents } from './tables.ts';

type NewChange = { agentId: string; before: string; after: string; author: string; cause: ChangeCause; at: Date };

const author = sql<AgentChange['author']>`CASE WHEN users.id IS NOT NULL THEN json_build_object('id', users.id, 'name', users.name) END`;
const { before, after, ...aboutChange } = getTableColumns(agentChanges);

/** The changes of prompts. The caller has checked whose agent or project it is. */
export function changeRepository(db: Db) {
  return {
    /** Stores a change as the agent's newest one. The agent must be locked. */
    add: async ({ agentId, ...change }: NewChange): Promise<void> => {
      const number = sql<number>`(SELECT 1 + coalesce(max(number), 0) FROM agent_changes WHERE agent_id = ${agentId}::uuid)`;
      await db.insert(agentChanges).values({ agentId, number, ...change });
    },

    list: async (agentId: string, { before, limit }: { before?: number | undefined; limit: number }): Promise<AgentChange[]> => {
      const rows = await db
        .select({ change: agentChanges, author })
        .from(agentChanges)
        .leftJoin(sql`users`, sql`users.id = ${agentChanges.author}`)
        .where(and(eq(agentChanges.agentId, agentId), before === undefined ? undefined : lt(agentChanges.number, before)))
        .orderBy(desc(agentChanges.number))
        .limit(limit);
      return rows.map(({ change, author: by }) => showChange(change, { author: by }));
    },

    /** Those of the agents on the canvas of a project, without their texts. */
    ofProject: async (projectId: string, page: { limit: number; offset: number }): Promise<{ items: PromptChange[]; total: number }> => {
      const onCanvas = sql`${agentChanges.agentId} IN (SELECT id FROM agents WHERE user_id = (SELECT user_id FROM projects WHERE id = ${projectId})
        AND id::text IN (SELECT value->>'serverAgentId' FROM canvas_nodes WHERE project_id = ${projectId} AND value->>'type' = 'agent'))`;
      const rows = await db
        .select({
          change: aboutChange,
          title: agents.title,
          author,
          lengthBefore: sql<number>`char_length(${before})`,
          lengthAfter: sql<number>`char_length(${after})`,
        })
        .from(agentChanges)
        .innerJoin(agents, eq(agents.id, agentChanges.agentId))
        .leftJoin(sql`users`, sql`users.id = ${agentChanges.author}`)
        .where(onCanvas)
        .orderBy(desc(agentChanges.at), desc(agentChanges.agentId))
        .limit(page.limit)
        .offset(page.offset);
      const total = await db.$count(agentChanges, onCanvas);
      return { items: rows.map(({ change, ...more }) => showPromptChange(change, more)), total };
    },
  };
}

const showChange = viewOf(agentChange);
const showPromptChange = viewOf(promptChange);

/** Removes changes before a moment, one batch, but for the last one of each day (UTC) of an agent. Returns whether there may be more. */
export async function thinAgentChanges(db: Db, before: Date): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM agent_changes AS old USING (
      SELECT change.agent_id, change.number FROM agent_changes AS change WHERE change.at < ${before} AND EXISTS (
        SELECT FROM agent_changes AS later WHERE later.agent_id = change.agent_id AND later.number > change.number
          AND (later.at AT TIME ZONE 'UTC')::date = (change.at AT TIME ZONE 'UTC')::date)
      LIMIT 1000 FOR UPDATE SKIP LOCKED) AS one
    WHERE old.agent_id = one.agent_id AND old.number = one.number`);
  return (rowCount ?? 0) > 0;
}
