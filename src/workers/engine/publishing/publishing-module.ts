import type { Command, CommandResult } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { type Answer, refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type PublishType = Extract<Command['type'], `publish.${string}`>;

/** Publishes runs to the repository of the open project. */
export function createPublishingModule({ backend, store }: EngineContext): EngineModule<PublishType> {
  const outcomeOf = <T>(answer: Answer<T>, result: (value: T) => CommandResult): Outcome<CommandResult> =>
    answer.ok ? { ok: true, value: result(answer.value) } : refusal(answer.fault);

  return {
    handlers: {
      'publish.readTarget': async () => {
        const { project } = store.state;
        if (!project) return failed('workspace.opening');
        return outcomeOf(await backend.gitTarget(project.id), ({ target }) => ({ gitTarget: target }));
      },
      'publish.setTarget': async ({ target }) => {
        const { project } = store.state;
        if (!project) return failed('workspace.opening');
        return outcomeOf(await backend.putGitTarget(project.id, target), (stored) => ({ gitTarget: stored.target }));
      },
      'publish.removeTarget': async () => {
        const { project } = store.state;
        if (!project) return failed('workspace.opening');
        return outcomeOf(await backend.removeGitTarget(project.id), () => ({ gitTarget: null }));
      },
      'publish.run': async ({ executionId, request }) =>
        outcomeOf(await backend.publish(executionId, request), (publication) => ({ publication })),
      'publish.followUp': async ({ executionId }) => outcomeOf(await backend.followUp(executionId), (followUp) => ({ followUp })),
    },
  };
}
