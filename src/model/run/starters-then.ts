import { z } from 'zod';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import { readQueueMark } from './queued-run.ts';
import type { RunStarters } from './starters-of.ts';

/** Of a run that has ended: the cards of its steps, and the configuration of its pipeline; null once that is removed. */
type EarlierRun = { dialogNodeId: string | null; nodeIds: ReadonlySet<string>; configuration: string | null };

/**
 * Returns what an earlier run began with, as far as it is on the canvas. The links of its pipeline name its start cards. Of a removed
 * pipeline those count that lead directly to a card of the run. `targetOnly` as in a plan.
 */
export function startersThen(
  { nodes, connections }: CanvasDocument,
  { dialogNodeId, nodeIds, configuration }: EarlierRun,
): RunStarters & { targetOnly: boolean } {
  const targetOnly = configuration !== null && typeof readQueueMark(configuration)?.followsId === 'string';
  const dialog = nodes[dialogNodeId ?? ''];
  if (dialog?.type === 'dialog') return { dialog, starts: [], targetOnly };
  const sources =
    configuration === null
      ? Object.values(connections).flatMap(({ from, to }) => (nodeIds.has(to.agentId) ? from.agentId : []))
      : sourcesIn(configuration);
  const began = new Set(sources);
  return { dialog: null, starts: Object.values(nodes).filter(({ id, type }) => type === 'start' && began.has(id)), targetOnly };
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
