import type { z } from 'zod';
import type { agentsCreation, agentsMade, agentsRemoved, unusedAgents } from '../../../contract/agent.ts';
import { ApiError } from '../../http/api-error.ts';
import type { StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AccountStorage } from '../storage/index.ts';
import { agentRepository, type NewAgentRow } from './repository.ts';
import type { AgentService } from './service.ts';
import type { AgentWork } from './work-counts.ts';

type Given = z.output<typeof agentsCreation>['agents'];
type Writing = { storeIdempotentResponse: StoreIdempotentResponse };

/**
 * Creates several agents, all or none. The number of statements is bounded. The bytes of their rows are reserved first: a refusal says how many of them
 * would fit.
 */
export async function createMany(
  { db, agents, storage }: { db: Db; agents: AgentService; storage: Pick<AccountStorage, 'storing'> },
  userId: OwnerId,
  { given, storeIdempotentResponse }: Writing & { given: Given },
): Promise<z.output<typeof agentsMade>> {
  const sizes = sizesOf(await rowsOf(db, agents, userId, given));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const write = () =>
    db.transaction(async (tx) => {
      const rows = await rowsOf(tx, agents, userId, given);
      const times = await agentRepository(tx).addInSlices(rows);
      const made = rows.map(({ id, title }) => ({ id, title, createdAt: (times.get(id) as Date).toISOString() }));
      await storeIdempotentResponse(tx, made);
      return made;
    });
  return storage.storing({ userId, bytes }, write).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'quota_reached' ? withRoom(error, sizes) : error;
  });
}

/**
 * Removes those of the agents that are used nowhere. Cards of the named project are not looked at: they are being removed, which its saved canvas does not show
 * yet.
 */
export function removeUnused(
  { db, work }: { db: Db; work: Pick<AgentWork, 'everWorked'> },
  userId: OwnerId,
  { agentIds, projectId, storeIdempotentResponse }: Writing & z.output<typeof unusedAgents>,
): Promise<z.output<typeof agentsRemoved>> {
  return db.transaction(async (tx) => {
    const repository = agentRepository(tx);
    if (!(await repository.hasProject(userId, projectId))) throw new ApiError('not_found');
    const own = await repository.lockAll(userId, [...new Set(agentIds)]);
    const used = new Set([...(await work.everWorked(tx, userId, own)), ...(await repository.inUse(userId, own, projectId))]);
    const removed = own.filter((id) => !used.has(id));
    await repository.removeAll(userId, removed);
    await storeIdempotentResponse(tx, { removed });
    return { removed };
  });
}

/** The rows in the given order. */
async function rowsOf(db: Db, agents: AgentService, userId: OwnerId, given: Given): Promise<NewAgentRow[]> {
  const copies = await agents.copiesOf(
    db,
    userId,
    given.filter((one) => 'copyOf' in one),
  );
  return given.flatMap((one) => ('copyOf' in one ? (copies.shift() ?? []) : agents.newRow(userId, one)));
}

/** The bytes of each row. Copies of one agent have the same texts, which are measured once. */
function sizesOf(rows: readonly NewAgentRow[]): number[] {
  const known = new Map<string, number>();
  return rows.map((row) => {
    const texts = row.systemPrompt ?? '';
    const bytes = known.get(texts) ?? Buffer.byteLength(texts);
    known.set(texts, bytes);
    return bytes + Buffer.byteLength(JSON.stringify({ ...row, systemPrompt: '' }));
  });
}

/** The rest of the room is left for the cards of the agents. */
const shareForAgents = 0.9;

/** The first ones that fit together: clients send these again. */
function withRoom({ options, code }: ApiError, sizes: readonly number[]): ApiError {
  const { usedBytes, limitBytes } = options.details ?? {};
  const left = typeof usedBytes === 'number' && typeof limitBytes === 'number' ? limitBytes - usedBytes : 0;
  let room = 0;
  for (let free = left * shareForAgents; room < sizes.length; room += 1) {
    free -= sizes[room] as number;
    if (free < 0) break;
  }
  return new ApiError(code, { ...options, details: { ...options.details, room } });
}
