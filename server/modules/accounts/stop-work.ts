import type pg from 'pg';
import { ApiError } from '../../http/api-error.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

type StopWorkDeps = {
  pool: pg.Pool;
  stopExecution: (userId: OwnerId, id: string) => Promise<unknown>;
  cancelCommand: (userId: OwnerId, id: string) => Promise<unknown>;
};

/** Returns the function that stops the started runs and the commands of an account. Runs that wait for their start stay as they are. G8.07 */
export function createStopWork({ pool, stopExecution, cancelCommand }: StopWorkDeps) {
  return async (userId: OwnerId): Promise<void> => {
    const idsOf = async (text: string) => (await pool.query<{ id: string }>(text, [userId])).rows.map(({ id }) => id);
    const runs = await idsOf(
      `SELECT id FROM executions WHERE user_id = $1 AND status IN ('pending', 'running', 'paused') AND NOT not_started`,
    );
    const commands = await idsOf(`SELECT id FROM agent_commands WHERE user_id = $1 AND status IN ('pending', 'running')`);
    for (const [ids, stop] of [
      [runs, stopExecution],
      [commands, cancelCommand],
    ] as const) {
      for (const id of ids)
        await stop(userId, id).catch((error: unknown) => {
          // It has ended meanwhile.
          if (!(error instanceof ApiError)) throw error;
        });
    }
  };
}
