import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CreatedApiKey } from '../../../contract/api-key.ts';
import type { TeamRun } from '../../../contract/released-team.ts';
import { createErrands, rowsOf, type Source, type Storm, untilAnswered } from './storm.ts';
import { releaseTeam } from './teams.ts';

type Called = { isError?: boolean; content: { text?: string }[] };

/** Clients of MCP, each of which starts a run, waits for it and reads its result. A call without an answer is made again, as a start with its key. */
export async function createMcpCallers(storm: Storm): Promise<Source> {
  const team = await releaseTeam(storm.ann, 'callable');
  const { key } = (await storm.ann.call<CreatedApiKey>('POST', '/api-keys', { name: 'Desk', scopes: ['read', 'run'] })).body;
  const names: string[] = [];
  /** The runs that the server has told of, by the name of the call. */
  const told = new Map<string, Set<string>>();
  const errands = createErrands();
  let cut = 0;

  /** Returns null where the server says that the call may be made again. */
  const call = async <T>(tool: string, args: Record<string, unknown>): Promise<T | null> => {
    const client = new Client({ name: 'a test', version: '1.0.0' });
    try {
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${storm.ann.url}/mcp`), { requestInit }));
      const { isError, content } = (await client.callTool({ name: tool, arguments: args })) as Called;
      const text = content[0]?.text ?? '';
      if (isError !== true) return JSON.parse(text) as T;
      if (/\((?:too_many_requests|unavailable|busy|conflict)\)/.test(text)) return null;
      throw new Error(text);
    } catch (error) {
      cut += 1;
      throw error;
    } finally {
      await client.close().catch(() => {});
    }
  };
  const carryOut = async (name: string): Promise<void> => {
    const start = { team: team.slug, input: { title: name }, idempotencyKey: name };
    const ids = new Set<string>();
    told.set(name, ids);
    // The second start is that of a client which has lost its answer.
    for (let time = 0; time < 2; time += 1)
      ids.add((await untilAnswered(`the start of ${name}`, () => call<TeamRun>('start_run', start))).id);
    const [run] = ids;
    await untilAnswered(`the end of ${name}`, async () => {
      const now = await call<TeamRun>('wait_for_run', { run, seconds: 5 });
      return now?.status === 'completed' ? now : null;
    });
    await untilAnswered(`the result of ${name}`, () => call('get_result', { run }));
  };

  return {
    begin: () => {
      const name = `call-${names.length + 1}`;
      names.push(name);
      errands.go(name, () => carryOut(name));
    },
    problems: async () => {
      const rows = await rowsOf<{ id: string; status: string }>(storm, 'SELECT id, status FROM executions WHERE id = ANY ($1)', [
        [...told.values()].flatMap((ids) => [...ids]),
      ]);
      const statuses = new Map(rows.map(({ id, status }) => [id, status]));
      const wrong = names.flatMap((name) => {
        const [ids, runs] = [[...(told.get(name) ?? [])], [...storm.runsOf(name)]];
        const isRight = ids.length === 1 && runs.join() === ids.join() && statuses.get(String(ids[0])) === 'completed';
        return isRight ? [] : [`${name}: told of ${ids.length} runs, models of ${runs.length}, ${ids.map((id) => statuses.get(id))}`];
      });
      return [...errands.problems(), ...wrong];
    },
    summary: () => `${names.length} clients of MCP, ${cut} calls cut off`,
  };
}
