import type { Patch } from 'immer';

/**
 * The nodes and links that a batch of patches changes, by id. `all`: the patches do not name them, so all of the kind must be read again.
 */
export type Touched = { nodes: Set<string> | 'all'; links: Set<string> | 'all'; agents: boolean; run: boolean };

export const touchedAll: Touched = { nodes: 'all', links: 'all', agents: true, run: true };

export const touchedNothing: Touched = { nodes: new Set(), links: new Set(), agents: false, run: false };

/** Collects the nodes and links that patches change on the canvas. Streamed text of a step is not on the canvas. What takes part in the next run counts as the run. */
export function touchedBy(patches: readonly Patch[]): Touched {
  const touched: Touched = { nodes: new Set(), links: new Set(), agents: false, run: false };
  for (const { path } of patches) {
    const [part, collection, id] = path;
    if (part === undefined) return touchedAll;
    if (part === 'agents') touched.agents = true;
    if ((part === 'run' && collection !== 'partial') || part === 'participation') touched.run = true;
    if (part !== 'document') continue;
    if (collection === undefined || collection === 'nodes') touched.nodes = add(touched.nodes, id);
    if (collection === undefined || collection === 'connections') touched.links = add(touched.links, id);
  }
  return touched;
}

function add(ids: Set<string> | 'all', id: string | number | undefined): Set<string> | 'all' {
  if (ids === 'all' || id === undefined) return 'all';
  return ids.add(String(id));
}
