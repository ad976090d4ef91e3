import type { TFunction } from 'i18next';
import type { ToolUse } from '../../contract/executions/tool-call.ts';
import type { CardView } from '../model/card-view.ts';

/** What a step does with tools now, for its card and for screen readers; empty for nothing. */
export function toolWords({ read, current }: ToolUse, t: TFunction<'canvas'>): string {
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
  return step?.toolUse && (state === 'active' || state === 'waiting') ? toolWords(step.toolUse, t) : '';
}
