import { asTyped } from './as-typed.ts';

/**
 * Returns the reason of a failure in one line that an operator can act on. An error of the disk includes its path, and one of an address to listen on
 * the setting to change.
 */
export function plainReason(error: unknown): string {
  return asTyped(reasonOf(error));
}

function reasonOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    const { code, path, syscall } = at as NodeJS.ErrnoException;
    if (typeof code !== 'string') continue;
    const cure = syscall === 'listen' && listenCures.get(code);
    if (cure) return `${at.message}. ${cure}`;
    if (noSpace.has(code)) return `the disk is full${path ? `: ${path} cannot be written` : ''}.`;
    if (code === databaseFull) return 'the disk of the database is full.';
    if (path && code === 'EROFS') return `${path} is on a read-only file system.`;
    if (path && noRight.has(code)) return `this account has no right to ${path}.`;
  }
  const message = error instanceof Error ? error.message || withoutMessage(error) : String(error);
  const lines = message.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

const listenCures = new Map([
  ['EADDRINUSE', 'Stop what listens there, or set another PORT.'],
  ['EADDRNOTAVAIL', 'Set HOST to an address of this machine.'],
]);
const noSpace = new Set(['ENOSPC', 'EDQUOT']);
/** SQLSTATE of a disk that is full. */
const databaseFull = '53100';
const noRight = new Set(['EACCES', 'EPERM']);

/** The failures of a host name with several addresses have one message each, and the whole has none. */
function withoutMessage(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one) => (one instanceof Error ? one.message : String(one))).join(', ');
  return String((error as { code?: unknown }).code ?? error.name);
}
