import { useEffect, useMemo } from 'react';
import { browserStorage } from '../../../canvas/overlay/browser-storage.ts';
import { AddedUsers } from './added-users.ts';

/** Returns the user cards added to a project's menu, other tabs' included. */
export function useAddedUsers(projectId: string | null): AddedUsers {
  const users = useMemo(() => new AddedUsers(browserStorage(), projectId), [projectId]);
  useEffect(() => {
    const hear = ({ key }: StorageEvent) => users.heard(key);
    addEventListener('storage', hear);
    return () => removeEventListener('storage', hear);
  }, [users]);
  return users;
}
