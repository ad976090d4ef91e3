import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { z } from 'zod';
import { hostsOnce, installPolicies } from '../../contract/runner.ts';
import { type ExecuteDeps, executeJob, type Job, type RunnerLine } from './execute-job.ts';
import type { StopReason } from './run-command.ts';
import type { RunnerSettings } from './runner-settings.ts';
import { ArchiveRefused } from './unpack-job.ts';

type RunnerServerDeps = Omit<ExecuteDeps, 'settings'> & {
  settings: RunnerSettings;
  token: string;
  /** Resolves when the folders of the jobs are ready: jobs wait for it. */
  prepared: Promise<void>;
  /** Tells the operator; never with a text of a job. */
  log: (line: string) => void;
};

/** The largest request (bytes). Artel sends 50 MiB of files at most, packed. */
const maxBodyBytes = 256 * 1024 * 1024;
/** How often a silent command is told to be alive (ms). */
const aliveMs = 10_000;

const fields = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  command: z.string().regex(/^\P{Cc}{1,1000}$/u),
  seconds: z.coerce.number().int().min(1).max(86_400),
  project: z.string().min(1).max(200).nullable(),
  install: z.enum(installPolicies).nullable(),
  hosts: hostsOnce,
  added: z
    .string()
    .nullable()
    .transform((text) => (text === null ? [] : text.split('\0').filter((path) => path !== ''))),
});

/** Serves the protocol of docs/runner.md. `idle` resolves when no job is left. */
export function createRunnerServer(deps: RunnerServerDeps): { server: http.Server; idle: () => Promise<void> } {
  const { settings, sandbox, token } = deps;
  const free = Array.from({ length: settings.maxJobs }, (_, place) => place);
  const jobs = new Set<Promise<void>>();
  const server = http.createServer((request, response) => {
    if (!isToken(request.headers.authorization, token)) return refuse(request, response, 401);
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ runner: 'artel', sandbox: sandbox.name, network: settings.hasNetwork, jobs: settings.maxJobs }));
      return;
    }
    if (request.method !== 'POST') return refuse(request, response, 405);
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return refuse(request, response, 413);
    const place = free.shift();
    if (place === undefined) return refuse(request, response, 503);
    const job = serveJob(deps, request, response, place)
      .catch((error: unknown) => {
        deps.log(`A job failed: ${error instanceof Error ? error.message : String(error)}`);
        response.destroy();
      })
      .finally(() => {
        // The lowest place is the next: what was installed for its paths is found again.
        free.push(place);
        free.sort((one, other) => one - other);
        jobs.delete(job);
      });
    jobs.add(job);
  });
  return {
    server,
    idle: async () => {
      await Promise.all(jobs);
    },
  };
}

async function serveJob(
  deps: RunnerServerDeps,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  place: number,
): Promise<void> {
  const stop = new AbortController();
  response.on('close', () => stop.abort('gone' satisfies StopReason));
  const body = await readBody(request);
  await deps.prepared;
  if (body === null) return refuse(request, response, 413);
  const job = await parseJob(body, request.headers['content-type'] ?? '');
  if (job === null) return refuse(request, response, 400);
  const tell = async (line: RunnerLine) => {
    if (response.destroyed || response.write(`${JSON.stringify(line)}\n`)) return;
    await once(response, 'drain', { signal: stop.signal }).catch(() => {});
  };
  let alive: NodeJS.Timeout | undefined;
  const begun = performance.now();
  try {
    const end = await executeJob(deps, job, {
      place,
      stop,
      onBegun: () => {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.flushHeaders();
        alive = setInterval(() => void tell({ alive: true }), aliveMs);
      },
      onLog: (text) => tell({ log: text }),
    });
    response.end(`${JSON.stringify(end)}\n`);
    const told = stop.signal.reason === 'gone' ? 'its connection was closed' : JSON.stringify(end);
    deps.log(`${job.id} ended after ${Math.round(performance.now() - begun)} ms: ${told}`);
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    deps.log(`${job.id} was refused: ${error.message}`);
    refuse(request, response, error.isTooLarge ? 413 : 400);
  } finally {
    clearInterval(alive);
  }
}

/** The rest of a request is read: a sender that still writes would see a broken connection in place of the status. */
function refuse(request: http.IncomingMessage, response: http.ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end();
  request.resume();
}

async function readBody(request: http.IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length <= maxBodyBytes) parts.push(part);
  }
  return length <= maxBodyBytes ? Buffer.concat(parts) : null;
}

async function parseJob(body: Buffer<ArrayBuffer>, contentType: string): Promise<Job | null> {
  try {
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    const files = form.get('files');
    const base = form.get('base');
    if (files === null || typeof files === 'string' || typeof base === 'string') return null;
    const { added, ...told } = fields.parse({
      id: form.get('id'),
      command: form.get('command'),
      seconds: form.get('seconds'),
      project: form.get('project'),
      install: form.get('install'),
      hosts: form.getAll('host'),
      added: form.get('added'),
    });
    const archive = base === null ? null : new Uint8Array(await base.arrayBuffer());
    return { ...told, install: told.install ?? 'manifest', files: new Uint8Array(await files.arrayBuffer()), base: { archive, added } };
  } catch {
    return null;
  }
}

function isToken(given: string | undefined, token: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(`Bearer ${token}`)];
  return one.length === other.length && timingSafeEqual(one, other);
}
