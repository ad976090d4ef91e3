import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the commit of a checkout, or what `ARTEL_COMMIT` names: a build of an image has no repository. Null where neither is there. */
export function readCommitOf(checkout: string): string | null {
  const named = process.env.ARTEL_COMMIT?.trim();
  if (named) return named;
  // A copy may be in a folder of another repository.
  if (!existsSync(join(checkout, '.git'))) return null;
  const { status, stdout } = spawnSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
