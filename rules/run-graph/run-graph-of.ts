import type { PipelineGroup, PipelineLink } from '../../contract/executions/pipeline.ts';
import type { StepSettings } from '../../contract/executions/run-graph.ts';
import type { RunGraph } from './run-graph.ts';

/** The parts of a pipeline that form its graph; null and absent are equal. */
export type GraphParts = {
  steps: readonly { id: string; nodeId: string | null; settings?: StepSettings | null | undefined; groupId?: string | null | undefined }[];
  links?: readonly PipelineLink[] | null | undefined;
  groups?: readonly PipelineGroup[] | null | undefined;
  maxParallel?: number | null | undefined;
  /** Read of a pipeline without links alone. */
  configuration?: string | null | undefined;
};

/**
 * Returns the graph of an execution of a pipeline; null if its steps run one after another. They do so without links, or where links express no
 * more than an order and only one step runs at a time. A configuration with `flowType: 'graph'` says that without links no step waits for
 * another, up to `maxParallel`, and that lists work through the task. A link to a step that was removed is left out.
 */
export function runGraphOf({ steps, links: given, groups, maxParallel, configuration }: GraphParts): RunGraph | null {
  const links = given ?? [];
  const hasLists = (groups ?? []).length > 0 && steps.some(({ groupId }) => groupId);
  const followsNoLinks = ((maxParallel ?? 1) > 1 || hasLists) && saysGraph(configuration ?? '');
  if (links.length === 0 && !followsNoLinks) return steps.some(({ settings }) => settings?.person) ? chainOf(steps) : null;
  const saysMore =
    (maxParallel ?? 1) > 1 ||
    (groups ?? []).length > 0 ||
    links.some(({ id: _id, from: _from, to: _to, ...settings }) => Object.keys(settings).length > 0) ||
    steps.some(({ settings }) => settings && Object.keys(settings).length > 0);
  if (!saysMore) return null;
  const idOf = new Map(steps.flatMap(({ id, nodeId }) => (nodeId === null ? [] : [[nodeId, id] as const])));
  return {
    nodes: steps.map(({ id, settings, groupId }) => ({ id, ...settings, ...(groupId && { groupId }) })),
    links: links.flatMap((link) => {
      const [from, to] = [idOf.get(link.from), idOf.get(link.to)];
      return from === undefined || to === undefined ? [] : [{ ...link, from, to }];
    }),
    groups: [...(groups ?? [])],
    maxParallel: maxParallel ?? 1,
  };
}

/** Pipelines from before graphs without links, and clients that do not know them, do not say so: their steps run one after another. */
function saysGraph(configuration: string): boolean {
  try {
    const read: unknown = JSON.parse(configuration);
    return typeof read === 'object' && read !== null && 'flowType' in read && read.flowType === 'graph';
  } catch {
    return false;
  }
}

/** The graph of steps that run one after another. `linkIdOf` names the link between two nodes of the canvas. */
export function chainOf(
  steps: GraphParts['steps'],
  linkIdOf: (from: string | null, to: string | null) => string | undefined = () => undefined,
): RunGraph {
  return {
    nodes: steps.map(({ id, settings }) => ({ id, ...settings })),
    links: steps.slice(1).flatMap((to, at) => {
      const from = steps[at];
      return from ? [{ id: linkIdOf(from.nodeId, to.nodeId) ?? `${from.id}>${to.id}`, from: from.id, to: to.id }] : [];
    }),
    groups: [],
    maxParallel: 1,
  };
}
