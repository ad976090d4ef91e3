import { type Agent, contextAccessLevels } from '../../../contract/agent.ts';

/**
 * Returns the context that an agent with this access level receives in addition to its task. It has `earlier` results of the run, the most
 * recent last, and the texts that users have added (`contexts`). At the default level that is everything.
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
