import type { ForgeNumber } from '../../../server/platform/git/forges/forge.ts';
import { addForgeTrigger, label } from '../forges/issue-team.ts';
import type { PlayedForge } from '../forges/played-forge.ts';
import { rowsOf, type Source, type Storm } from './storm.ts';

/** Issues of a forge that get the label, each of which becomes a pull request whose tests a runner executes. */
export async function createIssues(storm: Storm, forge: PlayedForge): Promise<Source> {
  const trigger = await addForgeTrigger(storm.ann, forge, { everyMinutes: 1 });
  const issues: ForgeNumber[] = [];

  return {
    begin: () => {
      const issue = forge.open({ title: 'Days are counted in hours', by: 'eve' });
      issues.push(issue);
      forge.label(issue, label, 'bob');
    },
    // A forge delivers again what nothing has taken.
    afterStart: async () => {
      const missed = forge.deliveries.filter(({ status }) => status === null);
      for (const delivery of missed.splice(-10)) {
        const [status] = await forge.redeliver(delivery);
        delivery.status = status ?? null;
      }
    },
    problems: async () => {
      type Row = { number: number; state: string; detail: string | null; request: number | null; runs: string[] };
      const rows = await rowsOf<Row>(
        storm,
        `SELECT t.number, t.state, t.detail, t.request_number AS request, ARRAY(SELECT e.status FROM fires f JOIN executions e ON e.id = f.execution_id
          WHERE f.trigger_id = t.trigger_id AND f.source->>'thread' = t.number::text) AS runs FROM forge_threads t WHERE trigger_id = $1`,
        [trigger.id],
      );
      const wrong: string[] = [];
      for (const issue of issues) {
        const row = rows.find(({ number }) => number === issue.number);
        const request = forge.requests().find(({ number }) => number === row?.request);
        const commits = request ? (await forge.commits(request.head ?? '')).length : 0;
        const told = forge.comments(issue).filter(({ by }) => by === 'artel-bot');
        const isRight = row?.state === 'published' && commits === 1 && told.length === 1 && told[0]?.text.includes(`#${request?.number}`);
        if (!isRight || row?.runs.join() !== 'completed')
          wrong.push(`issue ${issue.number}: ${JSON.stringify(row)}, ${commits} commits, ${told.length} comments`);
      }
      const [requests, branches] = [forge.requests().length, (await forge.branches()).length];
      if (requests !== issues.length || branches !== requests)
        wrong.push(`${issues.length} issues, ${requests} pull requests, ${branches} branches`);
      return wrong;
    },
    summary: () => `${issues.length} issues, ${forge.requests().length} pull requests`,
  };
}
