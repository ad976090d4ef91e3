import { type ToolServerProblem, toolServerLimits } from '../../../contract/tool-server.ts';
import type { Db } from '../../platform/database/database.ts';
import { distinct } from '../../platform/database/unique-rows.ts';
import { callName } from './call-name.ts';
import { hashOfDefinition, type ListedTool, readDefinitions } from './definitions.ts';
import { type ServerToolRow, ToolServerRepository, type ToolServerRow } from './repository.ts';

/** What a server has answered: its definitions as it sent them, or why it has not. */
export type ToolList = { about: { name: string; version: string } | null; raw: readonly unknown[] } | { problem: ToolServerProblem };

/** The most refused tools that are named. */
const maxRefused = 50;

type StoreToolListDeps = { db: Db; newId: () => string; now: () => Date };

/**
 * Stores what a server has listed beside what is pinned: tools are changed, missing or as they were. With `addsTools` new ones are pinned. Nothing is
 * stored when the server's address or key changed meanwhile. Returns the server as it is then, or null if it was removed.
 */
export async function storeToolList(
  { db, newId, now }: StoreToolListDeps,
  server: ToolServerRow,
  list: ToolList,
  { addsTools }: { addsTools: boolean },
): Promise<ToolServerRow | null> {
  const { id, projectId } = server;
  return db.transaction(async (tx) => {
    const inside = new ToolServerRepository(tx);
    if (server.kind === 'operator') await inside.add(server);
    // New tools get names that are unique in the project.
    if (addsTools) await inside.lockProject(projectId);
    const row = await inside.lock(projectId, id);
    if (!row || row.url !== server.url || !hasSameKey(row, server)) return row;
    if ('problem' in list) return inside.update(projectId, id, { testedAt: now(), problem: list.problem });

    const { tools, refused } = readDefinitions(list.raw, toolServerLimits.tools);
    const stored = await inside.tools(projectId, id);
    const listed = new Map(tools.map((tool) => [tool.name, tool]));
    for (const tool of stored) {
      const change = changeOf(tool, listed.get(tool.name));
      if (change) await inside.updateTool(projectId, tool.id, change);
    }
    if (addsTools) {
      const known = new Set(stored.map(({ name }) => name));
      const room = Math.max(0, toolServerLimits.tools - stored.length);
      const added = tools.filter(({ name }) => !known.has(name));
      for (const { name } of added.slice(room)) refused.push({ name, reason: 'too_many' });
      const names = new Set(await inside.callNames(projectId));
      const rows = added.slice(0, room).map(({ name, definition }): ServerToolRow => {
        const unique = callName(server.name, name, names);
        names.add(unique);
        return {
          id: newId(),
          projectId,
          serverId: id,
          name,
          callName: unique,
          pinned: JSON.stringify(definition),
          pinnedHash: hashOfDefinition(name, definition),
          pinnedAt: now(),
          current: null,
          currentHash: null,
          isMissing: false,
          policy: definition.readOnly ? 'auto' : 'ask',
        };
      });
      await inside.addTools(
        distinct(
          rows,
          ({ name }) => name,
          (row) => row.callName,
        ),
      );
    }
    return inside.update(projectId, id, {
      testedAt: now(),
      problem: null,
      aboutName: list.about?.name ?? null,
      aboutVersion: list.about?.version ?? null,
      refused: JSON.stringify(refused.slice(0, maxRefused)),
      refusedCount: refused.length,
    });
  });
}

/** Returns how a stored tool differs from what the server lists now; null without a difference from the row. */
function changeOf(tool: ServerToolRow, listed: ListedTool | undefined): Partial<ServerToolRow> | null {
  if (!listed) return tool.isMissing ? null : { isMissing: true };
  const hash = hashOfDefinition(listed.name, listed.definition);
  const isSame = hash === tool.pinnedHash;
  const current = isSame ? null : JSON.stringify(listed.definition);
  const currentHash = isSame ? null : hash;
  if (!tool.isMissing && tool.currentHash === currentHash) return null;
  return { isMissing: false, current, currentHash };
}

/** The tokens of a sign-in are replaced now and then. */
function hasSameKey(row: ToolServerRow, before: ToolServerRow): boolean {
  return row.auth.kind === 'account' ? row.keyHost === before.keyHost : row.keySealed === before.keySealed;
}
