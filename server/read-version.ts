import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Set by the build of the server; sources have none. */
declare const artelCommit: string | null | undefined;

/** The Git commit that the server was built of; undefined where it is not known, as for a server that runs from its sources. */
export function readCommit(): string | undefined {
  return (typeof artelCommit === 'undefined' ? null : artelCommit) ?? undefined;
}

/** Artel's own version. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string }).version;
}
