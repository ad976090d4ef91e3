import { Suspense } from 'react';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Segmented } from '../../../ui/controls/fields/segmented.tsx';
import { changeLanguage } from '../../../ui/i18n/change-language.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { History, Moon, Sun } from '../../../ui/icons/icons.ts';
import { AbsentUntilOnline } from '../../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useTheme } from '../../../ui/theme.tsx';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { TryYourself } from '../demo/try-yourself.tsx';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import { BarButton } from './bar-button.tsx';
import styles from './bars.module.css';
import { ConnectButton } from './connect-button.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { QuestionsButton } from './questions-button.tsx';

const AccountMenu = lazyPart(() => import('./account-menu.tsx').then((file) => file.AccountMenu), AbsentUntilOnline);

/** Connection, what asks for the user, history, language, theme and account. */
export function AccountBar() {
  const { t, language } = useTranslation('workspace');
  const { panels, show } = usePanels();
  const { account, readOnly, demo } = useWorkspaceContext();
  const hasProject = useWorkspace((state) => state.project !== null);
  return (
    <section className={`${panel.panel} ${styles.account}`} aria-label={t('bar.accountBar')} data-panel data-testid="account-bar">
      {hasProject && (
        <>
          {!demo && (
            <>
              <ConnectionStatus />
              <span className={panel.divider} />
            </>
          )}
          {account && !readOnly && <ConnectButton />}
          {account && <QuestionsButton hasWord />}
          <BarButton
            icon={<History size={16} aria-hidden />}
            about={t('bar.historyAbout')}
            shortcut={shortcutOf('toggleHistory')}
            pressed={panels.history}
            onClick={() => show({ history: !panels.history })}
          >
            {t('bar.history')}
          </BarButton>
          <span className={panel.divider} />
        </>
      )}
      <Segmented
        label={t('common:language')}
        value={language}
        options={[
          { value: 'ru', label: 'RU' },
          { value: 'en', label: 'EN' },
        ]}
        onChange={(next) => void changeLanguage(next)}
      />
      <ThemeButton />
      {account && (
        <Suspense fallback={<span className={styles.avatar} aria-hidden />}>
          <AccountMenu account={account} />
        </Suspense>
      )}
      {demo && <TryYourself />}
    </section>
  );
}

function ThemeButton() {
  const { t } = useTranslation('workspace');
  const { theme, toggle } = useTheme();
  return (
    <IconButton
      label={theme === 'dark' ? t('common:lightTheme') : t('common:darkTheme')}
      icon={theme === 'dark' ? <Sun size={17} /> : <Moon size={17} />}
      onClick={(event) => toggle({ x: event.clientX, y: event.clientY })}
    />
  );
}
