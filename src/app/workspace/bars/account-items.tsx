import { MenuItem } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleUser, Inbox, RotateCw, SlidersHorizontal } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { type Account, useWorkspaceContext } from '../workspace-context.ts';

/** What a menu offers for the account, before the way out. */
export function AccountItems({ account, iconSize }: { account: Account; iconSize: number }) {
  const { t } = useTranslation('workspace');
  const { t: tActions } = useTranslation('actions');
  const { show } = usePanels();
  const { readOnly } = useWorkspaceContext();
  const hasProject = useWorkspace((state) => state.project !== null);
  return (
    <>
      <MenuItem icon={<CircleUser size={iconSize} aria-hidden />} onSelect={() => show({ window: { kind: 'account' } })}>
        {t('bar.accountWindow')}
      </MenuItem>
      {hasProject && !readOnly && (
        <MenuItem icon={<SlidersHorizontal size={iconSize} aria-hidden />} onSelect={() => show({ window: { kind: 'connections' } })}>
          {tActions('name.connections')}
        </MenuItem>
      )}
      {account.openLeads && (
        <MenuItem icon={<Inbox size={iconSize} aria-hidden />} onSelect={account.openLeads}>
          {t('bar.leads')}
        </MenuItem>
      )}
      {account.openDeadLetters && (
        <MenuItem icon={<RotateCw size={iconSize} aria-hidden />} onSelect={account.openDeadLetters}>
          {t('bar.deadLetters')}
        </MenuItem>
      )}
    </>
  );
}
