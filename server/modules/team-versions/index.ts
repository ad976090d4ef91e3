/** The public interface of the team versions module. */
export { TeamVersions } from './service.ts';
export { teamVersions } from './tables.ts';
export { versionOfPipeline } from './team-sql.ts';
