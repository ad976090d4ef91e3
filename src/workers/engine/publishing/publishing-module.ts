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
          (id) => backend.call('project.gitTarget', { params: { id } }),
          ({ target }) => ({ gitTarget: target }),
        ),
      'publish.setTarget': ({ target }) =>
        outcomeInProject(
          context,
          (id) => backend.call('project.putGitTarget', { params: { id }, body: target }),
          (stored) => ({ gitTarget: stored.target }),
        ),
      'publish.removeTarget': () =>
        outcomeInProject(
          context,
          (id) => backend.call('project.removeGitTarget', { params: { id } }),
          () => ({ gitTarget: null }),
        ),
      'publish.run': ({ executionId, request }) =>
        outcomeOfCall(backend.call('execution.publish', { params: { id: executionId }, body: request }), resultAs('publication')),
      'publish.followUp': ({ executionId }) =>
        outcomeOfCall(backend.call('execution.followUp', { params: { id: executionId } }), resultAs('followUp')),
    },
  };
}
