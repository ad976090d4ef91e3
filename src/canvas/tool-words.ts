import type { TFunction } from 'i18next';
import type { StepRun } from '../../contract/executions/execution.ts';
import type { CardView } from '../model/card-view.ts';

/** The shortest wait that a card says (ms). */
const shownWaitMs = 3_000;

/** What a step does now: that it waits for its model's server, or what it does with tools; for its card and for screen readers. Empty for nothing. */
export function toolWords({ toolUse, testRun, wait }: Pick<StepRun, 'toolUse' | 'testRun' | 'wait'>, t: TFunction<'canvas'>): string {
  if (wait && wait.ms >= shownWaitMs) return t('tools.waits', { seconds: Math.ceil(wait.ms / 1_000) });
  if (testRun?.state === 'running') return t(testRun.waits ? 'tools.waitsForRunner' : 'tools.testing');
  if (!toolUse) return '';
  const { read, current } = toolUse;
  if (current?.state === 'waiting') return t('tools.waiting');
  switch (current?.tool) {
    case undefined:
      return read > 0 ? t('tools.read', { count: read }) : '';
    case 'read_file':
      return t('tools.reading', { count: read + 1 });
    case 'list_files':
    case 'search_files':
    case 'find_changes':
      return t('tools.looking');
    case 'edit_file':
    case 'write_file':
      return t('tools.writing');
    case 'delete_file':
    case 'move_file':
      return t('tools.changing');
    default:
      return t('tools.calling', { tool: current?.tool ?? '' });
  }
}

/** What the result of a step lacks; empty for nothing. */
export function markWords({ marks = [] }: Pick<StepRun, 'marks'>, t: TFunction<'canvas'>): string {
  return marks.map((mark) => t(`stepMark.${mark}`)).join(', ');
}

/** What a card says beside its state: what its step does while it works or waits for a person, and what a result lacks. */
export function stepWordsOf({ state, step }: CardView, t: TFunction<'canvas'>): string {
  if (!step) return '';
  if (state === 'done') return markWords(step, t);
  return state === 'active' || state === 'waiting' ? toolWords(step, t) : '';
}
