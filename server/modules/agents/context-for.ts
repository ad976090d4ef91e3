import { type Agent, contextAccessLevels } from '../../../contract/agent.ts';

/**
 * What an agent with this context access is told beside its task, of all that a run has by then: `earlier` results, the
 * last one nearest to its turn, and what people have added (`contexts`). At the default level that is everything.
 */
export function contextFor<Result, Text>(
  level: Agent['contextAccessLevel'],
  { earlier, contexts }: { earlier: readonly Result[]; contexts: readonly Text[] },
): { earlier: Result[]; contexts: Text[] } {
  return {
    earlier: level >= contextAccessLevels.everything ? [...earlier] : level >= contextAccessLevels.lastResult ? earlier.slice(-1) : [],
    contexts: level >= contextAccessLevels.additions ? [...contexts] : [],
  };
}
