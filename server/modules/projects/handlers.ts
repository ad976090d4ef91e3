import type { CanvasDocument, CanvasPatch } from '../../../contract/canvas.ts';
import { type Handlers, type Language, paged } from '../../http/call.ts';
import { Fault } from '../../http/fault.ts';
import { say } from '../../http/language.ts';
import type { ProjectService } from './service.ts';

type ProjectHandlers = Pick<Handlers, 'project.list' | 'project.get' | 'project.canvas' | 'project.patchCanvas' | 'project.putCanvas'>;

export function projectHandlers(projects: ProjectService): ProjectHandlers {
  return {
    'project.list': async ({ user, query }) => {
      const { items, total } = await projects.list(user.id, query);
      return paged(items, total);
    },
    'project.get': ({ user, params }) => projects.get(user.id, params.id),
    'project.canvas': ({ user, params }) => projects.canvas(user.id, params.id),
    'project.patchCanvas': ({ user, params, body, clientId, language, keepAnswer }) => {
      refuse(misnamedPatches(body.patches), language);
      return projects.patchCanvas({ userId: user.id, clientId, keepAnswer }, params.id, body.baseVersion, body.patches);
    },
    'project.putCanvas': ({ user, params, body, clientId, language, keepAnswer }) => {
      const { baseVersion, nodes, connections } = body;
      refuse(misnamedRecords({ nodes, connections }), language);
      return projects.putCanvas({ userId: user.id, clientId, keepAnswer }, params.id, baseVersion, { nodes, connections });
    },
  };
}

/** A record is kept under its own id: one that says otherwise would be read back as another. */
function misnamedPatches(patches: readonly CanvasPatch[]): string[] {
  return patches.flatMap((patch, index) => (patch.op === 'set' && patch.value.id !== patch.id ? [`patches.${index}.value.id`] : []));
}

function misnamedRecords(document: CanvasDocument): string[] {
  return (['nodes', 'connections'] as const).flatMap((collection) =>
    Object.entries(document[collection]).flatMap(([key, record]) => (record.id === key ? [] : [`${collection}.${key}.id`])),
  );
}

function refuse(paths: string[], language: Language): void {
  if (paths.length === 0) return;
  throw new Fault('bad_request', { errors: paths.slice(0, 50).map((path) => ({ path, message: say(language, 'field.record_key') })) });
}
