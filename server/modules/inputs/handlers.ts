import type { Handlers } from '../../http/call.ts';
import type { Inputs } from './service.ts';

type Names = Extract<keyof Handlers, `input.${string}`>;

export function inputHandlers(inputs: Inputs): Pick<Handlers, Names> {
  return {
    'input.create': ({ user, body: { projectId, ...copy } }) => inputs.create(user.ownerId, projectId, copy),
    'input.get': ({ user, params }) => inputs.get(user.ownerId, params.id),
    'input.files': ({ user, params, query, language }) => inputs.files(user.ownerId, params.id, query, language),
    'input.putFile': ({ user, params, query, body, signal }) => inputs.putFile(user.ownerId, params.id, query.path, body, signal),
    'input.fileText': ({ user, params, query }) => inputs.text(user.ownerId, params.id, query.path),
    'input.removeFile': ({ user, params, query }) => inputs.removeFile(user.ownerId, params.id, query.path),
    'input.addRepository': ({ user, params, body, language, signal }) =>
      inputs.addRepository(user.ownerId, params.id, body, { language, signal, byProgram: user.key !== undefined }),
    'input.addArchive': ({ user, params, body, language, signal }) => inputs.addArchive(user.ownerId, params.id, body, language, signal),
  };
}
