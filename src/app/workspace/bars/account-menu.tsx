import { Menu, MenuItem, MenuNote, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleUser, Inbox, LogOut, RotateCw, SlidersHorizontal } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useLeaveProject } from '../account/use-leave-project.ts';
import { usePanels } from '../panels.tsx';
import { type Account, useWorkspaceContext } from '../workspace-context.ts';
import styles from './bars.module.css';

export function AccountMenu({ account }: { account: Account }) {
  const { t } = useTranslation('workspace');
  const { t: tActions } = useTranslation('actions');
  const { show } = usePanels();
  const leave = useLeaveProject();
  const { readOnly } = useWorkspaceContext();
  const hasProject = useWorkspace((state) => state.project !== null);
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
      <MenuItem icon={<CircleUser size={16} aria-hidden />} onSelect={() => show({ window: { kind: 'account' } })}>
        {t('bar.accountWindow')}
      </MenuItem>
      {hasProject && !readOnly && (
        <MenuItem icon={<SlidersHorizontal size={16} aria-hidden />} onSelect={() => show({ window: { kind: 'connections' } })}>
          {tActions('name.connections')}
        </MenuItem>
      )}
      {account.openLeads && (
        <MenuItem icon={<Inbox size={16} aria-hidden />} onSelect={account.openLeads}>
          {t('bar.leads')}
        </MenuItem>
      )}
      {account.openDeadLetters && (
        <MenuItem icon={<RotateCw size={16} aria-hidden />} onSelect={account.openDeadLetters}>
          {t('bar.deadLetters')}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => leave('signOut')}>
        {t('bar.signOut')}
      </MenuItem>
    </Menu>
  );
}

/** Returns the initials: the first letters of the first two words that have one. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('');
}
