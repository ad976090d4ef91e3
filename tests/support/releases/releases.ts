import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What the server that made the backups of this folder ran with. */
export const releasedSecret = 'the secret of the releases that are upgraded';
/** The password of the one person in each. */
export const releasedPassword = 'a long quiet river';

/**
 * The backups of this folder, the oldest first: each was made by `npm run backup` of a version of its day, whose server had run. A person has the
 * project "Тихая река" beside the first one, a team, and three runs of two steps: one that has ended, one that asks, and one at work.
 */
export const releases = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.gz'))
  .toSorted()
  .map((name) => ({ name: name.replace('.gz', ''), path: join(import.meta.dirname, name) }));
