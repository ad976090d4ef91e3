import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes what the compiler has kept of the page if a text has changed since. The keys of texts reach the page through the types of i18next alone, and the
 * compiler checks no file again for them: a key that is gone would pass, and one that was added would be missing.
 */
export function dropStaleTypes({ cache, texts, side }: { cache: string; texts: string; side: string }): void {
  const hash = createHash('sha256');
  for (const name of readdirSync(texts, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (name.endsWith('.json')) hash.update(name).update(readFileSync(join(texts, name)));
  }
  const [seen, now] = [join(cache, 'texts'), hash.digest('hex')];
  mkdirSync(cache, { recursive: true });
  if (readText(seen) === now) return;
  rmSync(join(cache, side), { force: true });
  writeFileSync(seen, now);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
