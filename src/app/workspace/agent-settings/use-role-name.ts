import { agentRoles } from '../../../model/agents/roles.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';

/** Names a known role in the language of the interface, and returns other roles as they are. */
export function useRoleName(): (role: string) => string {
  const { t } = useTranslation('modals');
  return (role) => {
    const known = agentRoles.find((name) => name === role);
    return known ? t(`newAgent.roles.${known}`) : role;
  };
}
