/** The public interface of the projects module. */
export { projectHandlers } from './handlers.ts';
export { ProjectRepository, selectProjectId } from './repository.ts';
export { ProjectService, type RunsOfProject } from './service.ts';
export { canvasConnections, canvasNodes, projects } from './tables.ts';
export { thinVersions } from './versions/thin-versions.ts';
export { VersionService } from './versions/version-service.ts';
export { VersionTrimming } from './versions/version-trimming.ts';
