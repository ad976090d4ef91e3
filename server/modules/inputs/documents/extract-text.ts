import { constants, setPriority, tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnProcess } from '../../../platform/processes/spawn-process.ts';
import { watchMemory } from '../../../platform/processes/watch-memory.ts';
import { InputRefused } from '../input-refused.ts';
import type { DocumentFormat } from './document-format.ts';

/** Limits of one document: time (ms), memory of the child process (bytes), and the text that is kept (characters). */
type TextLimits = { timeMs: number; memoryBytes: number; textLength: number };

const mebibyte = 1024 * 1024;
export const textLimits: TextLimits = { timeMs: 15_000, memoryBytes: 512 * mebibyte, textLength: 2 * mebibyte };

const heapMb = 256;
/** UTF-8 needs at most this many bytes for a UTF-16 unit. */
const bytesPerUnit = 3;

/** The exit codes of the child process. */
const textExits = { unreadable: 3, password: 4 } as const;

/** The library that reads each format. Those of Office need others beside them. */
const libraries = {
  pdf: 'unpdf',
  docx: 'mammoth',
  xlsx: 'read-excel-file/node',
  rtf: 'rtf-stream-parser',
} as const satisfies Record<DocumentFormat, string>;

const program = fileURLToPath(new URL('./text-program.ts', import.meta.url));

/**
 * Draws the text out of a document in a process of its own. That process has an empty environment, may read only its program and libraries, and
 * writes no file and starts no process. It is killed at its limits of time and memory. On systems with a shell a limit of processor time holds
 * even when this server has died. Throws `InputRefused`, also for a document without text, such as a scanned one, and the reason of `signal`.
 */
export async function extractText(
  bytes: Uint8Array,
  path: string,
  format: DocumentFormat,
  { limits = textLimits, signal }: { limits?: TextLimits; signal?: AbortSignal } = {},
): Promise<string> {
  const { code, text } = await runTextProgram(bytes, format, import.meta.resolve(libraries[format]), limits, signal);
  signal?.throwIfAborted();
  const kind = format === 'pdf' ? 'pdf' : 'document';
  if (code === textExits.password) throw new InputRefused('pdf_password', path);
  if (code !== 0) throw new InputRefused(code === textExits.unreadable ? `${kind}_unreadable` : `${kind}_too_costly`, path);
  if (text.trim() === '') throw new InputRefused(`${kind}_no_text`, path);
  return text.length > limits.textLength ? `${text.slice(0, limits.textLength).toWellFormed()}\n\n[…]` : text;
}

/** Runs the program with a library, by its URL. Returns its exit code, null for a killed process, and what it wrote. */
export function runTextProgram(
  bytes: Uint8Array,
  format: DocumentFormat,
  library: string,
  { timeMs, memoryBytes, textLength }: TextLimits,
  signal?: AbortSignal,
): Promise<{ code: number | null; text: string }> {
  const [command, args] = commandOf(format, library, timeMs, textLength);
  const child = spawnProcess(command, args, { env: {}, cwd: tmpdir(), stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
  const kill = () => child.kill('SIGKILL');
  // Calls of other users come first.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  if (signal?.aborted) kill();
  signal?.addEventListener('abort', kill, { once: true });
  const timer = setTimeout(kill, timeMs);
  const unwatch = watchMemory(child, memoryBytes);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    child.stdout.on('data', (part: Buffer) => {
      length += part.length;
      if (length > bytesPerUnit * (textLength + mebibyte)) kill();
      else parts.push(part);
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      unwatch();
      settle();
    };
    child.once('error', (error) => end(() => reject(error)));
    child.once('close', (code) => end(() => resolve({ code, text: Buffer.concat(parts).toString('utf8') })));
    child.stdin.end(bytes);
  });
}

function commandOf(format: DocumentFormat, library: string, timeMs: number, textLength: number): [string, string[]] {
  const folder = dirname(fileURLToPath(library));
  const ofLibrary = format === 'pdf' ? [join(folder, '*'), join(dirname(folder), 'package.json')] : [join(packagesAbove(folder), '*')];
  const readable = [...ofLibrary, dirname(program), join(dirname(program), '*')];
  const node = [
    ...[`--max-old-space-size=${heapMb}`, '--permission', ...readable.map((path) => `--allow-fs-read=${path}`)],
    ...[program, format, library, String(textLength)],
  ];
  if (process.platform === 'win32') return [process.execPath, node];
  const seconds = Math.ceil(timeMs / 1_000) + 1;
  return ['/bin/sh', ['-c', `ulimit -t ${seconds}; ulimit -c 0; exec "$0" "$@"`, process.execPath, ...node]];
}

/** Returns the folder of all packages, in which a library finds those that it needs. */
function packagesAbove(folder: string): string {
  const name = `${sep}node_modules${sep}`;
  return folder.slice(0, folder.indexOf(name) + name.length - 1);
}
