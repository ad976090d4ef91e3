/** The public interface of the publishing module: runs become branches and pull requests. */
export { publishingHandlers } from './handlers.ts';
export { isOwnRepository, isPublished } from './repository.ts';
export { createRepositoryAccess, type RepositoryAccess } from './repository-access.ts';
export { Publishing } from './service.ts';
