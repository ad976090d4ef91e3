import { z } from 'zod';
import type { TestRunFailure } from '../../../contract/executions/test-run.ts';
import { type InstallNeeds, installNeeds } from '../../../contract/runner.ts';
import { storableText } from '../database/storable-text.ts';
import { type Answer, type Egress, HostRefused, ResponseTooLong } from '../egress/egress.ts';
import type { Runner, RunnerEnd, RunnerJob } from './runner.ts';

/** One line of a runner's answer. */
const line = z.union([
  z.object({ log: z.string() }),
  z.object({ alive: z.literal(true) }),
  z.object({ exit: z.number().int().min(-1).max(255) }),
  z.object({ failed: z.literal('install_failed') }).extend(installNeeds.shape),
  z.object({ failed: z.enum(['timeout', 'refused', 'busy', 'install_failed', 'files_too_large', 'log_too_long']) }),
]);

/** The longest line of an answer (UTF-16 units). */
const maxLineLength = 1024 * 1024;
/** What a runner has beyond the time of the command, to unpack the files and to answer (s). */
const graceSeconds = 30;

type HttpRunnerOptions = { url: string; token: string; egress: Egress };

/** A runner that is reached over HTTP, as docs/runner.md describes. */
export function createHttpRunner({ url, token, egress }: HttpRunnerOptions): Runner {
  return {
    async execute(job, { signal, onLog }) {
      const deadline = AbortSignal.timeout((job.seconds + graceSeconds) * 1_000);
      const { body, contentType } = await formOf(job);
      let hasBegun = false;
      try {
        const answer = await egress(url, {
          method: 'POST',
          body,
          signal: AbortSignal.any([signal, deadline]),
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': contentType,
            'content-length': String(body.length),
            accept: 'application/x-ndjson',
            connection: 'close',
            'user-agent': 'Artel',
          },
        });
        if (!answer.ok) return { reason: refusalOf(answer.status) };
        hasBegun = true;
        return await readEnd(answer, onLog);
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) return { reason: 'timeout' };
        return { reason: reasonOf(error, hasBegun) };
      }
    },
  };
}

async function formOf({
  id,
  command,
  seconds,
  archive,
  base,
  project,
  install,
  hosts,
}: RunnerJob): Promise<{ body: Uint8Array; contentType: string }> {
  const form = new FormData();
  form.set('id', id);
  form.set('command', command);
  form.set('seconds', String(seconds));
  if (project !== null) form.set('project', project);
  if (install !== 'manifest') form.set('install', install);
  for (const host of hosts) form.append('host', host);
  form.set('files', zipPart(archive), 'files.zip');
  if (base?.archive) form.set('base', zipPart(base.archive), 'base.zip');
  if (base && base.added.length > 0) form.set('added', base.added.join('\0'));
  const made = new Response(form);
  return { contentType: made.headers.get('content-type') ?? '', body: new Uint8Array(await made.arrayBuffer()) };
}

function zipPart(archive: Uint8Array): Blob {
  return new Blob([archive as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}

/** Reads lines until the one that ends the command. */
async function readEnd({ body, scrubber }: Answer, onLog: (text: string) => void): Promise<RunnerEnd> {
  const logs = scrubber.texts();
  try {
    return await readLines(body, (text) => onLog(logs.push(text)));
  } finally {
    onLog(logs.end());
  }
}

async function readLines(body: Answer['body'], onLog: (text: string) => void): Promise<RunnerEnd> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) return { reason: 'not_understood' };
    for (const text of lines) {
      if (text.trim() === '') continue;
      const told = parsed(text);
      if (!told) return { reason: 'not_understood' };
      if ('log' in told) onLog(told.log);
      if ('exit' in told) return { exitCode: told.exit };
      if ('hosts' in told) return { reason: told.failed, needs: storableNeeds(told) };
      if ('failed' in told) return { reason: told.failed };
    }
  }
  return { reason: rest.trim() === '' ? 'cut_off' : 'not_understood' };
}

/** Names come from files of a repository: a database must be able to store them. */
function storableNeeds({ step, hosts }: InstallNeeds): InstallNeeds {
  const stored = hosts.map(({ host, wantedBy }) => ({ host, wantedBy: wantedBy.map((name) => storableText(name)) }));
  return { step: storableText(step), hosts: stored };
}

function parsed(text: string): z.infer<typeof line> | null {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function refusalOf(status: number): TestRunFailure {
  if (status === 413) return 'files_too_large';
  return status === 429 || status === 503 ? 'busy' : 'refused';
}

function reasonOf(error: unknown, hasBegun: boolean): TestRunFailure {
  if (error instanceof ResponseTooLong) return 'log_too_long';
  if (error instanceof HostRefused) return 'unreachable';
  return hasBegun ? 'cut_off' : 'unreachable';
}
