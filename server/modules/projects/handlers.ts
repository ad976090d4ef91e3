import type { CanvasDocument, CanvasNode, CanvasPatch, Connection } from '../../../contract/canvas.ts';
import { ApiError } from '../../http/api-error.ts';
import { type Handlers, type Language, paged } from '../../http/call.ts';
import { type ServerText, translate } from '../../http/language.ts';
import { isTooWide } from '../../platform/egress/listed-hosts.ts';
import type { ProjectService, WorkOfProject } from './service.ts';
import type { VersionService } from './versions/version-service.ts';

type ProjectHandlers = Omit<
  Pick<Handlers, Extract<keyof Handlers, `project.${string}`>>,
  'project.gitTarget' | 'project.putGitTarget' | 'project.removeGitTarget'
>;

export function projectHandlers(projects: ProjectService, versions: VersionService, work: WorkOfProject): ProjectHandlers {
  const listed = (...asked: Parameters<ProjectService['list']>) => paged(projects.list(...asked));
  return {
    'project.list': ({ user, query }) => listed(user.ownerId, query),
    'project.byStatus': ({ user, params, query }) => listed(user.ownerId, query, params.status),
    'project.active': ({ user, query }) => listed(user.ownerId, query, 'active'),
    'project.byUser': async ({ user, params, query }) => {
      if (params.userId !== user.ownerId) throw new ApiError('not_found');
      return listed(user.ownerId, query);
    },
    'project.get': ({ user, params }) => projects.get(user.ownerId, params.id),
    'project.create': ({ user, body, clientId, storeIdempotentResponse }) =>
      projects.add({ userId: user.ownerId, clientId, storeIdempotentResponse }, body),
    'project.update': ({ user, params, clientId, body }) => {
      const { name, description, parallelSteps, holdHandOffs, testCommand, installs, fetchHosts, maxTurns, maxCalls } = body;
      refuseTooWide(fetchHosts ?? []);
      return projects.update({ userId: user.ownerId, clientId }, params.id, {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(parallelSteps !== undefined && { parallelSteps }),
        ...(holdHandOffs !== undefined && { holdHandOffs }),
        ...(testCommand !== undefined && { testCommand: testCommand || null }),
        ...(installs !== undefined && { installs: installs === 'manifest' ? null : installs }),
        ...(fetchHosts !== undefined && { fetchHosts: fetchHosts.length > 0 ? [...new Set(fetchHosts)] : null }),
        ...(maxTurns !== undefined && { maxTurns }),
        ...(maxCalls !== undefined && { maxCalls }),
      });
    },
    'project.setStatus': ({ user, params, clientId, body }) =>
      projects.update({ userId: user.ownerId, clientId }, params.id, { status: body.status }),
    'project.remove': ({ user, params, clientId, language }) =>
      projects.remove({ userId: user.ownerId, clientId }, params.id, language, work.runs),
    'project.statistics': ({ user, params }) => projects.statistics(user.ownerId, params.id, work),
    'project.canvas': ({ user, params }) => projects.canvas(user.ownerId, params.id),
    'project.versions': ({ user, params, query }) => versions.list(user.ownerId, params.id, query),
    'project.version': ({ user, params, language }) => versions.version(user.ownerId, params.id, params.version, language),
    'project.compareVersions': ({ user, params, query, language }) => versions.compare(user.ownerId, params.id, query, language),
    'project.promptChanges': async ({ user, params, query }) =>
      paged(work.promptChanges(await projects.resolve(user.ownerId, params.id), query)),
    'project.putMark': ({ user, params, body, language }) => versions.putMark(user.ownerId, params.id, params.version, body, language),
    'project.removeMark': ({ user, params }) => versions.removeMark(user.ownerId, params.id, params.version),
    'project.patchCanvas': ({ user, params, body, clientId, language, storeIdempotentResponse }) => {
      refuse(wrongPatches(body.patches), language);
      return projects.patchCanvas({ userId: user.ownerId, clientId, storeIdempotentResponse }, params.id, body.baseVersion, body.patches);
    },
    'project.putCanvas': ({ user, params, body, clientId, language, storeIdempotentResponse }) => {
      const { baseVersion, nodes, connections } = body;
      refuse(wrongRecords({ nodes, connections }), language);
      return projects.putCanvas({ userId: user.ownerId, clientId, storeIdempotentResponse }, params.id, baseVersion, {
        nodes,
        connections,
      });
    },
  };
}

type Wrong = { path: string; text: ServerText };

/** Checks that each record has its own id, and that no node is linked to itself. */
function wrongPatches(patches: readonly CanvasPatch[]): Wrong[] {
  return patches.flatMap((patch, index) => (patch.op === 'set' ? wrongRecord(`patches.${index}.value`, patch.id, patch.value) : []));
}

function wrongRecords(document: CanvasDocument): Wrong[] {
  return (['nodes', 'connections'] as const).flatMap((collection) =>
    Object.entries(document[collection]).flatMap(([key, record]) => wrongRecord(`${collection}.${key}`, key, record)),
  );
}

function wrongRecord(path: string, key: string, record: CanvasNode | Connection): Wrong[] {
  if (record.id !== key) return [{ path: `${path}.id`, text: 'field.record_key' }];
  return 'from' in record && record.from.agentId === record.to.agentId ? [{ path: `${path}.to`, text: 'field.self_link' }] : [];
}

function refuse(wrong: Wrong[], language: Language): void {
  if (wrong.length === 0) return;
  throw new ApiError('bad_request', { errors: wrong.slice(0, 50).map(({ path, text }) => ({ path, message: translate(language, text) })) });
}

/** Throws `tools_refused` for a list that would open hosts of strangers. */
function refuseTooWide(hosts: readonly string[]): void {
  const host = hosts.find(isTooWide);
  if (host !== undefined) throw new ApiError('tools_refused', { params: { host }, details: { reason: 'host_too_wide', host } });
}
