import { MenuItem } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleUser, Inbox, RotateCw } from '../../../ui/icons/icons.ts';
import { usePanels } from '../frame/panels.tsx';
import type { Account } from '../frame/workspace-context.ts';

/** What a menu offers for the account, before the way out. */
export function AccountItems({ account, iconSize }: { account: Account; iconSize: number }) {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  return (
    <>
      <MenuItem icon={<CircleUser size={iconSize} aria-hidden />} onSelect={() => show({ window: { kind: 'account' } })}>
        {t('bar.accountWindow')}
      </MenuItem>
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
