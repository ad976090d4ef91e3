import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Artel's own version. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string }).version;
}
