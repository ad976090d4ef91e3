import { z } from 'zod';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { RunBeginning } from '../../../../contract/executions/execution.ts';
import { isDialog, isStart } from '../../../../rules/card.ts';
import { readQueueMark } from '../queued-run.ts';
import type { RunStarters } from './starters-of.ts';

/** Of a run that has ended: the cards of its steps, what it began with, and the configuration of its pipeline; null once that is removed. */
type EarlierRun = {
  dialogNodeId: string | null;
  nodeIds: ReadonlySet<string>;
  begunWith: RunBeginning | undefined;
  configuration: string | null;
};

/** `targetOnly` as in a plan. `alone`: the run has the cards in `starts` alone. */
type StartersThen = RunStarters & { targetOnly: boolean; alone: boolean };

/**
 * Returns what an earlier run began with, as far as it is on the canvas. Where none of it is left, the run begins with the cards that it had. A
 * run that does not say what it began with is read by its pipeline.
 */
export function startersThen(document: CanvasDocument, run: EarlierRun): StartersThen {
  const { begunWith, nodeIds } = run;
  if (!begunWith) return startersByPipeline(document, run);
  const nodes = Object.values(document.nodes);
  const began = new Set(begunWith.nodeIds);
  const found = nodes.filter(({ id }) => began.has(id));
  const alone = begunWith.alone ?? false;
  const dialog = found.find(isDialog);
  if (dialog) return { dialog, starts: [], targetOnly: alone, alone: false };
  const starts = found.length > 0 || began.size === 0 ? found : nodes.filter(({ id }) => nodeIds.has(id));
  return { dialog: null, starts, targetOnly: false, alone };
}

/** The links of its pipeline name its start cards. Of a removed pipeline those count that lead directly to a card of the run. */
function startersByPipeline({ nodes, connections }: CanvasDocument, { dialogNodeId, nodeIds, configuration }: EarlierRun): StartersThen {
  const targetOnly = configuration !== null && typeof readQueueMark(configuration)?.followsId === 'string';
  const dialog = nodes[dialogNodeId ?? ''];
  if (isDialog(dialog)) return { dialog, starts: [], targetOnly, alone: false };
  const sources =
    configuration === null
      ? Object.values(connections).flatMap(({ from, to }) => (nodeIds.has(to.agentId) ? from.agentId : []))
      : sourcesIn(configuration);
  const began = new Set(sources);
  const starts = Object.values(nodes).filter((node) => isStart(node) && began.has(node.id));
  return { dialog: null, starts, targetOnly, alone: false };
}

const linked = z.object({ connections: z.array(z.object({ from: z.object({ agentId: z.string() }) })) });

function sourcesIn(configuration: string): string[] {
  const read = linked.safeParse(parseJson(configuration));
  return read.success ? read.data.connections.map(({ from }) => from.agentId) : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
