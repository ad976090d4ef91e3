import type { ExecutionDetails } from '../../../../contract/executions/execution.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { documentOfCards } from '../../../model/run/plan/document-of-cards.ts';
import { parallelSettingOf } from '../../../model/run/plan/parallel-limit.ts';
import { planPipeline } from '../../../model/run/plan/pipeline-plan.ts';
import { startersThen } from '../../../model/run/starters/starters-then.ts';
import type { Store } from '../store/store.ts';

type EarlierStart = { nodeIds: ReadonlySet<string>; configuration: string | null; goesOn: boolean };

/** Plans a run of the canvas as it is now that begins as an earlier run did. `goesOn`: with all that follows, also where that had its cards alone. */
export function planAsThen(
  { document, state: { agents, project } }: Store,
  { dialogNodeId, begunWith: began }: Pick<ExecutionDetails, 'dialogNodeId' | 'begunWith'>,
  { nodeIds, configuration, goesOn }: EarlierStart,
) {
  const begunWith = began && goesOn ? { nodeIds: began.nodeIds } : began;
  const { dialog, ...limit } = startersThen(document, { dialogNodeId, nodeIds, begunWith, configuration });
  const shown = limit.alone ? documentOfCards(document, limit.starts) : document;
  return planPipeline(shown, serverAgents(agents), dialog, { ...limit, parallelSteps: parallelSettingOf(project) });
}
