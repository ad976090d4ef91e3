import { spawn } from 'node:child_process';
import { timingSafeEqual } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/**
 * The smallest runner of docs/runner.md. It is for tests, and shows the protocol: it keeps commands apart by folders only. A runner that strangers
 * may use gives each command a container or a machine of its own.
 */
export async function startReferenceRunner({ token, port = 0 }: { token: string; port?: number }) {
  const jobs: string[] = [];
  const server = http.createServer((request, response) => {
    if (request.method !== 'POST' || !isToken(request.headers.authorization, token)) {
      response.writeHead(401).end();
      return;
    }
    execute(request, response, (id) => jobs.push(id)).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** The ids of the jobs that were begun. */
    jobs,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

const maxBodyBytes = 64 * 1024 * 1024;
/** How often a silent command is told to be alive (ms). */
const aliveMs = 10_000;

async function execute(request: http.IncomingMessage, response: http.ServerResponse, begun: (id: string) => void): Promise<void> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxBodyBytes) {
      response.writeHead(413).end();
      return;
    }
    parts.push(part);
  }
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(Buffer.concat(parts), { headers }).formData();
  const [id, command, seconds] = ['id', 'command', 'seconds'].map((name) => String(form.get(name)));
  const folder = await mkdtemp(join(tmpdir(), 'artel-runner-'));
  try {
    await unpack(folder, new Uint8Array(await (form.get('files') as File).arrayBuffer()));
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const tell = (line: object) => response.write(`${JSON.stringify(line)}\n`);
    begun(String(id));
    // No variable of the runner's own, and a process group that is killed as a whole.
    const env = { PATH: process.env.PATH ?? '', HOME: folder, CI: 'true', NO_COLOR: '1' };
    const child = spawn('/bin/sh', ['-c', `exec 2>&1; ${command}`], {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const kill = () => child.pid && kills(child.pid);
    response.on('close', kill);
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      kill();
    }, Number(seconds) * 1_000);
    const alive = setInterval(() => tell({ alive: true }), aliveMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      // A reader that is slower than the command holds the command up.
      if (tell({ log: text })) return;
      child.stdout.pause();
      response.once('drain', () => child.stdout.resume());
    });
    const code = await new Promise<number>((done) => {
      child.on('close', (exit) => done(exit ?? -1));
      child.on('error', () => done(-1));
    });
    clearTimeout(limit);
    clearInterval(alive);
    response.end(`${JSON.stringify(isLate ? { failed: 'timeout' } : { exit: code })}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the files of a ZIP below a folder, and none elsewhere. The upper half of the attributes of an entry is its mode on Unix. */
async function unpack(folder: string, archive: Uint8Array): Promise<void> {
  const zip = await fromBufferPromise(Buffer.from(archive), { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const { fileName, externalFileAttributes } = entry;
    const target = resolve(folder, fileName);
    if (!target.startsWith(folder + sep) || fileName.endsWith('/')) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await buffer(await zip.openReadStreamPromise(entry)));
    if ((externalFileAttributes >>> 16) & 0o100) await chmod(target, 0o755);
  }
}

function kills(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function isToken(given: string | undefined, token: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(`Bearer ${token}`)];
  return one.length === other.length && timingSafeEqual(one, other);
}
