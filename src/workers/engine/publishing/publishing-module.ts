import type { Command } from '../../../model/commands.ts';
import { outcomeInProject, outcomeOfCall, resultAs } from '../backends/outcome-of-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type PublishType = Extract<Command['type'], `publish.${string}`>;

/** Publishes runs to the repository of the open project. */
export function createPublishingModule(context: EngineContext): EngineModule<PublishType> {
  const { backend } = context;
  return {
    handlers: {
      'publish.readTarget': () =>
        outcomeInProject(
          context,
          (id) => backend.gitTarget(id),
          ({ target }) => ({ gitTarget: target }),
        ),
      'publish.setTarget': ({ target }) =>
        outcomeInProject(
          context,
          (id) => backend.putGitTarget(id, target),
          (stored) => ({ gitTarget: stored.target }),
        ),
      'publish.removeTarget': () =>
        outcomeInProject(
          context,
          (id) => backend.removeGitTarget(id),
          () => ({ gitTarget: null }),
        ),
      'publish.run': ({ executionId, request }) => outcomeOfCall(backend.publish(executionId, request), resultAs('publication')),
      'publish.followUp': ({ executionId }) => outcomeOfCall(backend.followUp(executionId), resultAs('followUp')),
    },
  };
}
