import type { Handlers } from '../../http/call.ts';
import type { TeamVersions } from './service.ts';

/** The public interface of the team versions module. */
export { removeUnusedVersions } from './remove-unused-versions.ts';
export { TeamVersions } from './service.ts';
export { teamVersions } from './tables.ts';
export { versionOfPipeline } from './team-sql.ts';

export function teamVersionHandlers(teams: TeamVersions): Pick<Handlers, Extract<keyof Handlers, `teamVersion.${string}`>> {
  return {
    'teamVersion.list': ({ user, params, query }) => teams.list(user.ownerId, params.id, query),
    'teamVersion.create': ({ user, params, body, language, storeIdempotentResponse }) =>
      teams.create(user.ownerId, params.id, body, language, storeIdempotentResponse),
    'teamVersion.get': ({ user, params }) => teams.version(user.ownerId, params.id, params.version),
    'teamVersion.check': ({ user, params }) => teams.check(user.ownerId, params.id, params.version),
    'teamVersion.restore': ({ user, params, body, clientId, language, storeIdempotentResponse }) =>
      teams.restore(
        { userId: user.ownerId, clientId },
        { project: params.id, ref: params.version, seen: body.seen },
        language,
        storeIdempotentResponse,
      ),
  };
}
