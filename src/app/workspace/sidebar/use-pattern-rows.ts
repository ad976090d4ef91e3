import { type PatternId, patternIds } from '../../../model/patterns/pattern-ids.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { matchesQuery } from './matches-query.ts';

export type PatternRow = { id: PatternId; title: string };

/** Returns the ready patterns whose name contains the query. The demonstration has none: its runs are scripts. */
export function usePatternRows(query: string): PatternRow[] {
  const { t } = useTranslation('workspace');
  const { demo } = useWorkspaceContext();
  if (demo) return [];
  return patternIds.map((id) => ({ id, title: t(`pattern.${id}`) })).filter(({ title }) => matchesQuery(title, query));
}
