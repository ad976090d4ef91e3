import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { retriableInstants } from '../triggers/index.ts';

/** The execution, the command or the trigger of a dead letter. */
export type DeadWork = { workId: string; email: string; projectName: string | null; stepsDone: number | null; stepsTotal: number | null };

/** As `stepCount` of the rules counts them. */
const countedSteps = `SELECT count(*) FILTER (WHERE status IN ('completed', 'reused'))::int AS steps_done,
  count(*) FILTER (WHERE status <> 'skipped')::int AS steps_total FROM execution_steps WHERE execution_id = executions.id`;

/** Reads failed work that can be retried, by its jobs. */
export async function deadWork(run: RunStatement, jobIds: readonly string[]): Promise<Map<string, DeadWork>> {
  if (jobIds.length === 0) return new Map();
  const rows = await run({
    text: `SELECT work.*, users.email, projects.name AS project_name FROM (
        SELECT job_id, id, user_id, project_id, status, error, steps.* FROM executions
          CROSS JOIN LATERAL (${countedSteps}) AS steps WHERE job_id = ANY ($1::uuid[])
        UNION ALL
        SELECT id, id, user_id, project_id, status, error, NULL, NULL FROM agent_commands WHERE id = ANY ($1::uuid[])
        UNION ALL
        SELECT fires.job_id, triggers.id, triggers.run_as, triggers.project_id, 'failed', '{"code": "attempts_exhausted"}'::jsonb, NULL, NULL
          FROM fires JOIN triggers ON triggers.id = fires.trigger_id
          WHERE fires.job_id = ANY ($1::uuid[]) AND fires.job_id IN (${retriableInstants})
      ) AS work
      JOIN users ON users.id = work.user_id LEFT JOIN projects ON projects.id = work.project_id
      WHERE work.status = 'failed' AND work.error->>'code' = 'attempts_exhausted'`,
    values: [jobIds],
  });
  return new Map(
    rows.map((row) => [
      String(row.job_id),
      {
        workId: String(row.id),
        email: String(row.email),
        projectName: row.project_name as string | null,
        stepsDone: row.steps_done as number | null,
        stepsTotal: row.steps_total as number | null,
      },
    ]),
  );
}
