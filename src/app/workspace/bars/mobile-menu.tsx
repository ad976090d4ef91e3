import { isLocked } from '../../../model/workspace-state.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Menu, MenuItem, MenuNote, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { changeLanguage } from '../../../ui/i18n/change-language.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import {
  Bookmark,
  Cable,
  History,
  Languages,
  LogOut,
  MenuIcon,
  Moon,
  PanelLeft,
  Pause,
  Redo2,
  Search,
  Sun,
  Undo2,
} from '../../../ui/icons/icons.ts';
import { useTheme } from '../../../ui/theme.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useLeaveProject } from '../account/use-leave-project.ts';
import { TryYourself } from '../demo/try-yourself.tsx';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { AccountItems } from './account-items.tsx';
import styles from './bars.module.css';
import { QuestionsButton } from './questions-button.tsx';

/** What is used most of the bars on a narrow screen, behind one button: at most eight entries. The palette has all, the account's settings the look. */
export function MobileMenu() {
  const { t } = useTranslation('workspace');
  const { t: tActions } = useTranslation('actions');
  const { panels, show } = usePanels();
  const { account, readOnly, demo } = useWorkspaceContext();
  const dispatch = useDispatch();
  const leave = useLeaveProject();
  const undo = useWorkspace((state) => state.undo);
  const locked = useWorkspace((state) => isLocked(state.run));
  const running = useWorkspace((state) => state.run.phase === 'running');
  const ended = useWorkspace((state) => state.run.outcome === 'completed');
  const hasProject = useWorkspace((state) => state.project !== null);
  const covered = panels.console !== 'closed' || panels.history || panels.versions || panels.sidebar;
  return (
    <div className={styles.group}>
      {running && covered && (
        <IconButton label={t('run.pause')} size={40} icon={<Pause size={19} />} onClick={() => void dispatch({ type: 'run.pause' })} />
      )}
      {demo && <TryYourself short size="m" variant={ended ? 'secondary' : 'primary'} />}
      {account && hasProject && <QuestionsButton />}
      {hasProject && !demo && (
        <IconButton
          label={t('bar.history')}
          size={40}
          icon={<History size={19} />}
          pressed={panels.history}
          onClick={() => show({ history: !panels.history })}
        />
      )}
      <Menu
        align="end"
        trigger={
          <button type="button" className={styles.burger} aria-label={t('bar.menu')} data-testid="mobile-menu">
            <MenuIcon size={20} aria-hidden />
          </button>
        }
      >
        {account && (
          <>
            <MenuNote>
              <strong className={styles.person}>{account.name}</strong>
              {account.email}
            </MenuNote>
            <MenuSeparator />
          </>
        )}
        <MenuItem icon={<Search size={17} aria-hidden />} onSelect={() => show({ window: { kind: 'palette', scope: 'all' } })}>
          {tActions('name.palette')}
        </MenuItem>
        <MenuItem icon={<PanelLeft size={17} aria-hidden />} onSelect={() => show({ sidebar: true })}>
          {t('sidebar.title')}
        </MenuItem>
        {account && hasProject && (
          <MenuItem icon={<Bookmark size={17} aria-hidden />} onSelect={() => show({ versions: true })}>
            {t('bar.versions')}
          </MenuItem>
        )}
        {!readOnly && (
          <>
            <MenuItem
              icon={<Undo2 size={17} aria-hidden />}
              disabled={!undo.canUndo || locked}
              onSelect={() => void dispatch({ type: 'history.undo' })}
            >
              {t('bar.undo')}
            </MenuItem>
            <MenuItem
              icon={<Redo2 size={17} aria-hidden />}
              disabled={!undo.canRedo || locked}
              onSelect={() => void dispatch({ type: 'history.redo' })}
            >
              {t('bar.redo')}
            </MenuItem>
          </>
        )}
        {account && hasProject && !readOnly && (
          <MenuItem icon={<Cable size={17} aria-hidden />} onSelect={() => show({ window: { kind: 'connect' } })}>
            {t('words:connect')}
          </MenuItem>
        )}
        {!account && <LookItems />}
        {account && (
          <>
            <MenuSeparator />
            <AccountItems account={account} iconSize={17} />
            <MenuItem icon={<LogOut size={17} aria-hidden />} onSelect={() => leave('signOut')}>
              {t('bar.signOut')}
            </MenuItem>
          </>
        )}
      </Menu>
    </div>
  );
}

/** Language and theme, where no account has settings of them. */
function LookItems() {
  const { t, language } = useTranslation('workspace');
  const { theme, toggle } = useTheme();
  return (
    <>
      <MenuSeparator />
      <MenuItem icon={<Languages size={17} aria-hidden />} onSelect={() => void changeLanguage(language === 'ru' ? 'en' : 'ru')}>
        {language === 'ru' ? 'English' : 'Русский'}
      </MenuItem>
      <MenuItem icon={theme === 'dark' ? <Sun size={17} aria-hidden /> : <Moon size={17} aria-hidden />} onSelect={() => toggle()}>
        {theme === 'dark' ? t('common:lightTheme') : t('common:darkTheme')}
      </MenuItem>
    </>
  );
}
