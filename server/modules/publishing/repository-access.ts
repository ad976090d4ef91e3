import type { Db } from '../../platform/database/database.ts';
import type { RepositoryAccess } from '../../platform/git/fetch-tree.ts';
import type { ForgePlace } from '../../platform/git/forges/forge.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { placeOf, publishingRepository } from './repository.ts';

/** Returns how a project reads a repository: with its token on the host of its own repository, and the paths that it names of that one. C6.08 */
export function createRepositoryAccess(db: Db, secrets: SecretBox) {
  const repository = publishingRepository(db);
  return async (projectId: string, url: string): Promise<RepositoryAccess> => {
    const target = await repository.target(projectId);
    if (target === null || new URL(target.url).origin !== new URL(url).origin) return { token: null, isOwn: false, paths: [] };
    const token = target.tokenSealed && secrets.open(target.tokenSealed, aboutToken(projectId, target.url));
    const isOwn = placeOf(target.url) === placeOf(url);
    return { token: token || null, isOwn, paths: isOwn ? target.paths : [] };
  };
}

/** The row and the host that a token is encrypted for. */
export function aboutToken(projectId: string, url: string): string {
  return `git_targets.${projectId} ${new URL(url).origin}`;
}

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
