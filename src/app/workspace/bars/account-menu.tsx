import { Menu, MenuItem, MenuNote, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleQuestionMark, LogOut } from '../../../ui/icons/icons.ts';
import { initials } from '../../../ui/initials.ts';
import { useLeaveProject } from '../account/use-leave-project.ts';
import { usePanels } from '../frame/panels.tsx';
import type { Account } from '../frame/workspace-context.ts';
import { helpAddress } from '../help/help-chapters.ts';
import { AccountItems } from './account-items.tsx';
import styles from './bars.module.css';

export function AccountMenu({ account }: { account: Account }) {
  const { t, language } = useTranslation('workspace');
  const { t: tActions } = useTranslation('actions');
  const { panels } = usePanels();
  const leave = useLeaveProject();
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className={styles.avatar} data-testid="account-menu">
          <span className="visually-hidden">{t('bar.account')} </span>
          {initials(account.name) || initials(account.email)}
        </button>
      }
    >
      <MenuNote>
        <strong className={styles.person}>{account.name}</strong>
        {account.email}
      </MenuNote>
      <MenuSeparator />
      <AccountItems account={account} iconSize={16} />
      <MenuItem icon={<CircleQuestionMark size={16} aria-hidden />} onSelect={() => window.open(helpAddress(panels, language), '_blank')}>
        {tActions('name.help')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => leave('signOut')}>
        {t('bar.signOut')}
      </MenuItem>
    </Menu>
  );
}
