import type { Db } from '../../platform/database/database.ts';
import type { ForgePlace } from '../../platform/git/forges/forge.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { placeOf, publishingRepository } from './repository.ts';
import { aboutToken } from './repository-access.ts';

/** `url` has no `.git`: two addresses of one repository have the same. */
export type ForgeTarget = ForgePlace & { baseBranch: string };

/** Returns the repository that a project is published to, with its token; null without one, and for a server that has no pull requests. */
export function createForgeTarget(db: Db, secrets: SecretBox) {
  const repository = publishingRepository(db);
  return async (projectId: string): Promise<ForgeTarget | null> => {
    const target = await repository.target(projectId);
    const token = target?.tokenSealed && secrets.open(target.tokenSealed, aboutToken(projectId, target.url));
    if (!target || !token || target.forge === 'none') return null;
    return { forge: target.forge, url: placeOf(target.url), token, baseBranch: target.baseBranch };
  };
}
