import type { Command } from '../../../model/commands.ts';
import { failed } from '../../../model/problem.ts';
import { outcomeInProject, outcomeOfCall, resultAs } from '../backends/outcome-of-call.ts';
import { refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CommandOf, EngineModule } from '../engine-module.ts';

type InputType = Extract<Command['type'], `input.${string}`>;

/** The files of runs before they start: the page names a set, and the server keeps it. */
export function createInputsModule(context: EngineContext): EngineModule<InputType> {
  const { backend } = context;
  const readSet = (setId: string) => outcomeOfCall(backend.call('input.get', { params: { id: setId } }), resultAs('inputSet'));

  const bytesOf = (content: CommandOf<'input.putFile'>['content']): Promise<Uint8Array<ArrayBuffer> | null> =>
    content.arrayBuffer().then(
      (bytes) => new Uint8Array(bytes),
      () => null,
    );

  return {
    handlers: {
      'input.readTarget': () =>
        outcomeInProject(
          context,
          (id) => backend.call('project.gitTarget', { params: { id } }),
          ({ target }) => ({ gitTarget: target }),
        ),
      'input.create': ({ type: _type, ...copy }) =>
        outcomeInProject(context, (id) => backend.call('input.create', { body: { projectId: id, ...copy } }), resultAs('inputSet')),
      'input.read': ({ setId }) => readSet(setId),
      'input.putFile': async ({ setId, path, content }) => {
        const bytes = await bytesOf(content);
        // A folder, or a file that was changed since it was chosen.
        if (bytes === null) return failed('dialog.fileUnreadable');
        const put = await backend.call('input.putFile', { params: { id: setId }, query: { path }, body: bytes });
        return put.ok ? readSet(setId) : refusal(put.fault);
      },
      'input.addArchive': async ({ setId, content }) => {
        const bytes = await bytesOf(content);
        if (bytes === null) return failed('dialog.fileUnreadable');
        return outcomeOfCall(backend.call('input.addArchive', { params: { id: setId }, body: bytes }), ({ set, leftOut }) => ({
          inputSet: set,
          leftOut,
        }));
      },
      'input.addRepository': ({ type: _type, setId, ...address }) =>
        outcomeOfCall(backend.call('input.addRepository', { params: { id: setId }, body: address }), ({ set, leftOut }) => ({
          inputSet: set,
          leftOut,
        })),
      'input.removeFile': async ({ setId, path }) => {
        const removed = await backend.call('input.removeFile', { params: { id: setId }, query: { path } });
        return removed.ok ? readSet(setId) : refusal(removed.fault);
      },
    },
  };
}
