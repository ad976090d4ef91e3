import type { TFunction } from 'i18next';
import type { StepRun } from '../../contract/executions/execution.ts';
import type { CardView } from '../model/card-view.ts';

/** What a step does with tools now, for its card and for screen readers; empty for nothing. */
export function toolWords({ toolUse, testRun }: Pick<StepRun, 'toolUse' | 'testRun'>, t: TFunction<'canvas'>): string {
  if (testRun?.state === 'running') return t('tools.testing');
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
      return t('tools.looking');
    case 'write_file':
      return t('tools.writing');
    default:
      return t('tools.calling', { tool: current?.tool ?? '' });
  }
}

/** The same of a card whose step works, or waits for a person's decision about a call. */
export function toolWordsOf({ state, step }: CardView, t: TFunction<'canvas'>): string {
  return step && (state === 'active' || state === 'waiting') ? toolWords(step, t) : '';
}
