import type { ResultItem } from '../../../../contract/executions/result.ts';

type Item = Pick<ResultItem, 'pipelineExecutionId' | 'parentExecutionId'>;

/** Puts each fork below its original, in the order given; a fork whose original is not in the list stays where it is. */
export function historyTree<T extends Item>(items: readonly T[]): { item: T; depth: number }[] {
  const known = new Set(items.map(({ pipelineExecutionId }) => pipelineExecutionId));
  const isRoot = ({ parentExecutionId }: T) => parentExecutionId === undefined || !known.has(parentExecutionId);
  const forks = Map.groupBy(
    items.filter((item) => !isRoot(item)),
    ({ parentExecutionId }) => parentExecutionId,
  );
  const tree: { item: T; depth: number }[] = [];
  const open = items
    .filter(isRoot)
    .map((item) => ({ item, depth: 0 }))
    .reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, depth } = next;
    tree.push(next);
    open.push(...(forks.get(item.pipelineExecutionId) ?? []).map((fork) => ({ item: fork, depth: depth + 1 })).reverse());
  }
  return tree;
}
