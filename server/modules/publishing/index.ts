/** The public interface of the publishing module: runs become branches and pull requests. */
export { publishingHandlers } from './handlers.ts';
export { isOwnRepository, isPublished } from './repository.ts';
export { createForgeTarget, createRepositoryAccess, type ForgeTarget } from './repository-access.ts';
export { Publishing } from './service.ts';
