import type { CreatedTrigger } from '../../../contract/trigger.ts';
import { rowsOf, type Source, type Storm } from './storm.ts';
import { addTrigger, releaseTeam } from './teams.ts';

/** Instants that a schedule has missed when it begins. */
const missed = 3;
const yearly = '0 0 1 1 *';

/** Schedules of each minute. One begins whenever the server is down, with instants that it has missed. */
export async function createSchedules(storm: Storm, count: number): Promise<Source> {
  const team = await releaseTeam(storm.ann, 'each-minute');
  const waiting: { trigger: CreatedTrigger; title: string }[] = [];
  for (let number = 1; number <= count; number += 1) {
    const title = `instant-${number}`;
    waiting.push({ trigger: await addTrigger(storm.ann, team, { kind: 'schedule', cron: yearly, zone: 'UTC', input: { title } }), title });
  }
  const begun: { id: string; title: string; first: Date }[] = [];
  let instants = 0;

  return {
    begin: () => {},
    whileDown: async () => {
      const next = waiting.shift();
      if (!next) return;
      const { id } = next.trigger;
      const [row] = await rowsOf<{ first: Date }>(
        storm,
        `UPDATE triggers SET settings = settings || jsonb_build_object('cron', $2::text), next_at = date_trunc('minute', now()) - make_interval(mins => $3) WHERE id = $1 RETURNING next_at AS first`,
        [id, '* * * * *', missed],
      );
      const due = 'UPDATE artel_queue.job SET start_after = now() FROM triggers WHERE job.id = job_id AND triggers.id = $1';
      await storm.pool.query(due, [id]);
      begun.push({ id, title: next.title, first: row?.first as Date });
    },
    problems: async () => {
      // None has another instant: they are left alone once all that was due is fired.
      const ids = begun.map(({ id }) => id);
      const end = `UPDATE triggers SET next_at = next_at + interval '1 year' WHERE id = ANY ($1) AND next_at BETWEEN now() AND now() + interval '5 minutes'`;
      await storm.pool.query(end, [ids]);
      type Row = { id: string; due: Date; outcome: string; reason: string | null; status: string | null };
      const rows = await rowsOf<Row>(
        storm,
        `SELECT t.id, f.due_at AS due, f.outcome, f.reason, e.status FROM triggers t JOIN fires f ON f.trigger_id = t.id
          LEFT JOIN executions e ON e.id = f.execution_id WHERE t.id = ANY ($1) AND t.next_at > now() + interval '5 minutes' ORDER BY f.due_at`,
        [ids],
      );
      instants = rows.length;
      return begun.flatMap(({ id, title, first }) => {
        const own = rows.filter((row) => row.id === id);
        const times = own.map(({ due }) => (due.getTime() - first.getTime()) / 60_000);
        const wrong = own.filter(({ outcome, status }) => outcome !== 'started' || status !== 'completed');
        const runs = storm.runsOf(title).size;
        const isWhole = times.every((time, at) => time === at) && own.length > missed && runs === own.length;
        return isWhole && wrong.length === 0 ? [] : [`${title}: minutes ${times}, ${runs} runs, ${JSON.stringify(wrong)}`];
      });
    },
    summary: () => `${instants} instants of ${begun.length} schedules`,
  };
}
