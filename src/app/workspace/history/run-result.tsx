import type { ResultItem } from '../../../../contract/executions/result.ts';
import { useRemoteData } from '../lists/use-remote-data.ts';
import { ResultDialog } from '../windows/result-dialog.tsx';

export type RunResultProps = { item: ResultItem; open: boolean; title: string; simulated: boolean; onClose: () => void };

/** The whole result of a run. The history has only the beginning of a long one; the window reads the whole. */
export function RunResult({ item, open, title, simulated, onClose }: RunResultProps) {
  const key = open && item.finalResultIsCut ? `${item.id} ${item.updatedAt}` : null;
  const { value, problem, again } = useRemoteData('readResult', [item.id], key, item.id);
  const text = item.finalResultIsCut ? (value?.finalResult ?? null) : item.finalResult;
  return <ResultDialog open={open} title={title} text={text} problem={problem} simulated={simulated} onRetry={again} onClose={onClose} />;
}
