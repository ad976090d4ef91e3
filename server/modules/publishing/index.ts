/** The public interface of the publishing module: runs become branches and pull requests. */
export { createForgeTarget, type ForgeTarget } from './forge-target.ts';
export { publishingHandlers } from './handlers.ts';
export { isOwnRepository, isPublished } from './repository.ts';
export { createRepositoryAccess } from './repository-access.ts';
export { Publishing } from './service.ts';
