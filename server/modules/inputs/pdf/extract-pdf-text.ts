import { spawn } from 'node:child_process';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchMemory } from '../../../platform/processes/watch-memory.ts';
import { InputRefused } from '../input-refused.ts';

/** Limits of one PDF: time (ms), memory of the child process (bytes), and the text that is kept (characters). */
export type PdfLimits = { timeMs: number; memoryBytes: number; textLength: number };

const mebibyte = 1024 * 1024;
export const pdfLimits: PdfLimits = { timeMs: 15_000, memoryBytes: 512 * mebibyte, textLength: 2 * mebibyte };

const heapMb = 256;
/** UTF-8 needs at most this many bytes for a UTF-16 unit. */
const bytesPerUnit = 3;

/** The exit codes of the child process. */
export const pdfExits = { unreadable: 3, password: 4 } as const;

const program = fileURLToPath(new URL('./pdf-program.ts', import.meta.url));

/**
 * Draws the text out of a PDF in a process of its own. That process has an empty environment, may read only its program and the library, and
 * writes no file and starts no process. It is killed at its limits of time and memory. On systems with a shell a limit of processor time holds
 * even when this server has died. Throws `InputRefused`, and the reason of `signal` when that ends it.
 */
export async function extractPdfText(
  bytes: Uint8Array,
  path: string,
  limits: PdfLimits = pdfLimits,
  signal?: AbortSignal,
): Promise<string> {
  const { code, text } = await runPdfProgram(bytes, import.meta.resolve('unpdf'), limits, signal);
  signal?.throwIfAborted();
  if (code === 0) return text.length > limits.textLength ? `${text.slice(0, limits.textLength).toWellFormed()}\n\n[…]` : text;
  if (code === pdfExits.password) throw new InputRefused('pdf_password', path);
  throw new InputRefused(code === pdfExits.unreadable ? 'pdf_unreadable' : 'pdf_too_costly', path);
}

/** Runs the program with a library, by its URL. Returns its exit code, null for a killed process, and what it wrote. */
export function runPdfProgram(
  bytes: Uint8Array,
  library: string,
  { timeMs, memoryBytes, textLength }: PdfLimits,
  signal?: AbortSignal,
): Promise<{ code: number | null; text: string }> {
  const [command, args] = commandOf(library, timeMs, textLength);
  const child = spawn(command, args, { env: {}, cwd: tmpdir(), stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
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
    // The child may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(bytes);
  });
}

function commandOf(library: string, timeMs: number, textLength: number): [string, string[]] {
  const folder = dirname(fileURLToPath(library));
  const readable = [join(folder, '*'), join(dirname(folder), 'package.json'), dirname(program), join(dirname(program), '*')];
  const node = [
    ...[`--max-old-space-size=${heapMb}`, '--permission', ...readable.map((path) => `--allow-fs-read=${path}`)],
    ...[program, library, String(textLength)],
  ];
  if (process.platform === 'win32') return [process.execPath, node];
  const seconds = Math.ceil(timeMs / 1_000) + 1;
  return ['/bin/sh', ['-c', `ulimit -t ${seconds}; ulimit -c 0; exec "$0" "$@"`, process.execPath, ...node]];
}
