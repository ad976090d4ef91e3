import type { RunStatement } from '../../database/prepared-statements.ts';

/** Removes all jobs and dead letters of these groups in the caller's transaction. A database that no server has used yet has no jobs. */
export async function forgetGroups(schema: string, run: RunStatement, groups: readonly string[]): Promise<void> {
  const values = [groups];
  await run({ text: 'DELETE FROM dead_letters WHERE group_id = ANY ($1::text[])', values });
  const [queue] = await run({ text: `SELECT to_regclass('${schema}.job') IS NOT NULL AS exists`, values: [] });
  if (queue?.exists === true) await run({ text: `DELETE FROM ${schema}.job WHERE group_id = ANY ($1::text[])`, values });
}
