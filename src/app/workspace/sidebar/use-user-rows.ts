import { useMemo } from 'react';
import { useObserved } from '../../../state/use-observed.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useNodeCounts } from '../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { matchesQuery } from './matches-query.ts';
import { type UserMenuItem, userMenu } from './user-menu.ts';

export type UserRow = UserMenuItem & { title: string };

/** Returns the user rows whose name contains the query. */
export function useUserRows(query: string): UserRow[] {
  const { t } = useTranslation('workspace');
  const { users } = useWorkspaceContext();
  const placed = useNodeCounts((counts) => counts.byPerson);
  const added = useObserved(users, users.get);
  const items = useMemo(() => userMenu(placed, added), [placed, added]);
  return items.map((item) => ({ ...item, title: item.name ?? t(`user.${item.role}`) })).filter(({ title }) => matchesQuery(title, query));
}
