import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Set by the build of the server; sources have none. */
declare const artelCommit: string | null | undefined;

/** The Git commit that the server was built of; undefined where it is not known, as for a server that runs from its sources. */
export function readCommit(): string | undefined {
  return (typeof artelCommit === 'undefined' ? null : artelCommit) ?? undefined;
}

type Package = { version: string; repository?: string | { url: string } };

/** Artel's own version. */
export function readVersion(): string {
  return readPackage().version;
}

/** The address of the repository that the package is made from; null where it names none. */
export function readRepository(): string | null {
  const { repository } = readPackage();
  return (typeof repository === 'object' ? repository.url : repository) ?? null;
}

function readPackage(): Package {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as Package;
}
