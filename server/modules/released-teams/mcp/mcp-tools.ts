import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { id } from '../../../../contract/common.ts';
import { questionAnswer } from '../../../../contract/executions/question.ts';
import type { Need } from '../../../../contract/needs.ts';
import { type TeamRun, teamRunStart } from '../../../../contract/released-team.ts';
import { routes } from '../../../../contract/routes.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language, Member } from '../../../http/call.ts';
import { failureSentence, toApiError } from '../../../http/failure.ts';
import type { Idempotency } from '../../../http/idempotency.ts';
import type { ProgramKeys } from '../../../http/mount.ts';
import { requireNeed } from '../../../http/require-need.ts';
import { elapsed } from '../../../platform/clock.ts';
import { type FollowDeps, followRun, Signal } from '../run-events.ts';
import type { TeamCalls } from '../team-calls.ts';

export type McpToolsDeps = FollowDeps & {
  calls: TeamCalls;
  keys: Pick<ProgramKeys, 'checkReach'>;
  idempotency: Pick<Idempotency, 'once'>;
  version: string;
  onFailed: (error: unknown) => void;
};

/** The longest wait of one call (s): clients give up after 60. */
const maxWaitSeconds = 50;
/** How often a waiting call reads the run without being told of a change (ms). */
const readAgainMs = 5_000;
/** Texts of files that a result carries itself (bytes): one, and all of them. Others are read as resources. */
const embeddedBytes = { file: 50_000, all: 200_000 };

/** The answer of a tool: JSON for the model, and resources. */
type Answer = { value: unknown; more?: Content[] };
type Content =
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } }
  | { type: 'resource_link'; uri: string; name: string; size: number };
type Progress = (run: TeamRun) => Promise<void>;

const start = teamRunStart.extend({
  team: z.string().max(200).describe('The slug of the team.'),
  idempotencyKey: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .optional()
    .describe('A text of your own for this run. Repeat a call whose answer was lost with the same key and input: no second run starts.'),
});
const byRun = z.object({ run: id.describe('The id of a run that start_run has returned.') });
// Made once: each costs as much as a call.
const nothing = z.object({});
const waited = byRun.extend({ seconds: z.number().min(0).max(maxWaitSeconds).default(maxWaitSeconds) });
const answered = questionAnswer.extend({ ...byRun.shape, question: id });
const text = {
  instructions:
    'Teams of AI agents. Start a run with start_run, then call wait_for_run until it has ended, and get_result. A run with the status "waiting" asks a person: answer with answer_question only what the user has decided, or show the link of the question.',
  list_teams: 'Lists the teams that you may call, with the JSON schema of the input of each.',
  start_run: 'Starts a run of a team and returns at once. "input" has the fields of the schema of the team; a file is { name, content }.',
  wait_for_run: `Waits until the run has ended or asks a person, for at most ${maxWaitSeconds} seconds, and returns its status. Call it again while the status is "queued" or "running".`,
  get_result: 'Returns the text of a run that has ended, and its files as resources.',
  list_questions: 'Lists the questions of a run. Only those with "byPrograms" can be answered here; the others are decided by a person.',
  answer_question:
    'Answers a question of a person or a hand-off. "action" is one of the actions of the question, "label" one of its buttons. Questions about tools, budgets and unknown outcomes are refused.',
};

/** The client of a call, and what is called when the call begins to wait for its run. */
type OfCall = { signal: AbortSignal; onWait: () => void };

/** Makes the MCP server of one call, for the account and the scopes of its key. */
export function teamServer(deps: McpToolsDeps, user: Member, { signal, onWait }: OfCall): McpServer {
  const { calls } = deps;
  const language: Language = user.language ?? 'en';
  const caller = { user, language, signal };
  // The tools never change, so a client that listens for changes is told at once that there are none, and holds no connection.
  const capabilities = { tools: { listChanged: false }, resources: { listChanged: false } };
  const server = new McpServer({ name: 'artel', version: deps.version }, { instructions: text.instructions, capabilities });
  const tool = <S extends z.ZodObject>(
    name: Exclude<keyof typeof text, 'instructions'>,
    need: Need,
    inputSchema: S,
    work: (input: z.output<S>, progress: Progress) => Promise<Answer>,
  ) => {
    const annotations = { readOnlyHint: need === 'read', destructiveHint: false, openWorldHint: need === 'run' };
    server.registerTool(
      name,
      { description: text[name], inputSchema: inputSchema as z.ZodObject, annotations },
      async (input, { mcpReq }) => {
        const token = mcpReq._meta?.progressToken;
        let last = -1;
        const progress: Progress = async ({ progress: share, status }) => {
          if (token === undefined || share <= last) return;
          last = share;
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: token, progress: share, total: 100, message: status },
          });
        };
        try {
          requireNeed(user.key?.scopes ?? [], need);
          const { value, more = [] } = await work(input as z.output<S>, progress);
          return { content: [{ type: 'text' as const, text: JSON.stringify(value, null, 2) }, ...more] };
        } catch (error) {
          return { isError: true, content: [{ type: 'text' as const, text: failureText(error, language, deps.onFailed) }] };
        }
      },
    );
  };

  tool('list_teams', 'read', nothing, async () => ({ value: await calls.list(user) }));
  tool('start_run', 'run', start, async (asked) => ({ value: await startOnce(deps, caller, asked) }));
  tool('wait_for_run', 'read', waited, async ({ run, seconds }, progress) => ({
    value: await waitForRun(deps, user, { run, seconds, progress, signal, onWait }),
  }));
  tool('get_result', 'read', byRun, async ({ run }) => resultOf(calls, user, run, language));
  tool('list_questions', 'read', byRun, async ({ run }) => ({
    value: (await calls.questions(user, await calls.slugOf(user, run), run, { limit: 50, offset: 0 })).items,
  }));
  tool('answer_question', 'answer', answered, async ({ run, question, ...answer }) => {
    const params = { slug: await calls.slugOf(user, run), id: run, questionId: question };
    await deps.keys.checkReach(user, 'team.answer', { params, query: {}, body: answer });
    return { value: await calls.answer(caller, params, answer, async () => {}) };
  });
  const files = new ResourceTemplate('artel://runs/{run}/files/{+path}', { list: undefined });
  server.registerResource('file', files, { description: 'A file of the result of a run.' }, async (uri, { run, path }) => {
    const content = await calls.file(user, z.parse(id, String(run)), decodeURIComponent(String(path))).catch((error: unknown) => {
      throw new Error(failureText(error, language, deps.onFailed));
    });
    return {
      contents: [
        typeof content === 'string'
          ? { uri: uri.href, mimeType: 'text/plain', text: content }
          : { uri: uri.href, blob: Buffer.from(content).toString('base64') },
      ],
    };
  });
  return server;
}

/** Starts a run; once for a key, which is the one of the same call over HTTP. */
async function startOnce(
  { calls, idempotency }: McpToolsDeps,
  caller: { user: Member; language: Language; signal: AbortSignal },
  { team, idempotencyKey, ...asked }: z.output<typeof start>,
): Promise<unknown> {
  const slug = team.toLowerCase();
  if (idempotencyKey === undefined) return calls.start(caller, slug, asked, async () => {});
  const described = ['POST', `/api/team/${slug}/runs`, asked];
  const { answer } = await idempotency.once(caller.user.ownerId, idempotencyKey, described, async (keep) => ({
    status: routes['team.start'].status,
    answer: await calls.start(caller, slug, asked, (tx, started) => keep(tx, { status: routes['team.start'].status, answer: started })),
  }));
  return answer;
}

/** Throws `unauthorized` when the key is revoked or expires meanwhile, and `too_many_requests` when too many calls of it wait. */
async function waitForRun(
  { calls, ...deps }: McpToolsDeps,
  user: Member,
  { run: runId, seconds, progress, signal, onWait }: OfCall & { run: string; seconds: number; progress: Progress },
): Promise<TeamRun> {
  const slug = await calls.slugOf(user, runId);
  const changes = new Signal();
  const until = elapsed() + seconds * 1_000;
  let isRefused = false;
  const leave = () => changes.end();
  const end = () => {
    isRefused = true;
    leave();
  };
  const unfollow = followRun(deps, user, runId, { change: () => changes.raise(), heartbeat: () => {}, end, leave });
  signal.addEventListener('abort', leave);
  try {
    for (;;) {
      changes.clear();
      const run = await calls.run(user, slug, runId);
      if (isRefused) throw new ApiError('unauthorized');
      await progress(run);
      const left = until - elapsed();
      if (!['queued', 'running'].includes(run.status) || left <= 0 || changes.hasEnded) return run;
      onWait();
      await changes.raisedWithin(Math.min(left, readAgainMs));
    }
  } finally {
    signal.removeEventListener('abort', leave);
    unfollow();
  }
}

async function resultOf(calls: TeamCalls, user: Member, run: string, language: Language): Promise<Answer> {
  const { files, ...result } = await calls.result(user, await calls.slugOf(user, run), run, language);
  const more: Content[] = [];
  let embedded = 0;
  for (const { path, bytes } of files) {
    const uri = `artel://runs/${run}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
    const isSmall = bytes <= embeddedBytes.file && embedded + bytes <= embeddedBytes.all;
    const content = isSmall ? await calls.file(user, run, path) : null;
    if (typeof content !== 'string') more.push({ type: 'resource_link', uri, name: path, size: bytes });
    else {
      embedded += bytes;
      more.push({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: content } });
    }
  }
  return { value: { ...result, files: files.map(({ path, bytes }) => ({ path, bytes })) }, more };
}

function failureText(error: unknown, language: Language, onFailed: (error: unknown) => void): string {
  const fault = toApiError(error);
  if (fault.code === 'internal') onFailed(error);
  const fields = fault.options.errors?.map(({ path, message }) => `\n${path}: ${message}`).join('') ?? '';
  return `${failureSentence(language, fault)} (${fault.code})${fields}`;
}
