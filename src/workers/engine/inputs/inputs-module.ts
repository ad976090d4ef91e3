import type { Command, CommandResult } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { type Answer, refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CommandOf, EngineModule } from '../engine-module.ts';

type InputType = Extract<Command['type'], `input.${string}`>;

/** The files of runs before they start: the page names a set, and the server keeps it. */
export function createInputsModule({ backend, store }: EngineContext): EngineModule<InputType> {
  const outcomeOf = <T>(answer: Answer<T>, result: (value: T) => CommandResult): Outcome<CommandResult> =>
    answer.ok ? { ok: true, value: result(answer.value) } : refusal(answer.fault);

  const readSet = async (setId: string) => outcomeOf(await backend.readInputSet(setId), (inputSet) => ({ inputSet }));

  const bytesOf = (content: CommandOf<'input.putFile'>['content']): Promise<Uint8Array<ArrayBuffer> | null> =>
    content.arrayBuffer().then(
      (bytes) => new Uint8Array(bytes),
      () => null,
    );

  return {
    handlers: {
      'input.create': async ({ type: _type, ...copy }) => {
        const { project } = store.state;
        if (!project) return failed('workspace.opening');
        return outcomeOf(await backend.createInputSet(project.id, copy), (inputSet) => ({ inputSet }));
      },
      'input.read': ({ setId }) => readSet(setId),
      'input.putFile': async ({ setId, path, content }) => {
        const bytes = await bytesOf(content);
        // A folder, or a file that was changed since it was chosen.
        if (bytes === null) return failed('dialog.fileUnreadable');
        const put = await backend.putInputFile(setId, path, bytes);
        return put.ok ? readSet(setId) : refusal(put.fault);
      },
      'input.addArchive': async ({ setId, content }) => {
        const bytes = await bytesOf(content);
        if (bytes === null) return failed('dialog.fileUnreadable');
        return outcomeOf(await backend.addInputArchive(setId, bytes), ({ set, leftOut }) => ({ inputSet: set, leftOut }));
      },
      'input.addRepository': async ({ type: _type, setId, ...address }) => {
        const added = await backend.addInputRepository(setId, address);
        return outcomeOf(added, ({ set, leftOut }) => ({ inputSet: set, leftOut }));
      },
      'input.removeFile': async ({ setId, path }) => {
        const removed = await backend.removeInputFile(setId, path);
        return removed.ok ? readSet(setId) : refusal(removed.fault);
      },
    },
  };
}
