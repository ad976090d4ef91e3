import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Segmented } from '../../../ui/controls/fields/segmented.tsx';
import { changeLanguage } from '../../../ui/i18n/change-language.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { LogOut } from '../../../ui/icons/icons.ts';
import { useTheme } from '../../../ui/theme.tsx';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';
import { usePanels } from '../frame/panels.tsx';
import styles from './account.module.css';
import { useLeaveProject } from './use-leave-project.ts';

/** The language, the theme, the way to the API keys, the sign-out button, and what runs here. */
export function AccountSettings() {
  const { t, language } = useTranslation('account');
  const { theme, toggle } = useTheme();
  const { show } = usePanels();
  const hasProject = useWorkspace((state) => state.project !== null);
  const leave = useLeaveProject();
  return (
    <div className={styles.settings}>
      <div className={styles.setting}>
        <span>{t('common:language')}</span>
        <Segmented
          label={t('common:language')}
          value={language}
          options={[
            { value: 'ru', label: 'Русский' },
            { value: 'en', label: 'English' },
          ]}
          onChange={(next) => void changeLanguage(next)}
        />
      </div>
      <div className={styles.setting}>
        <span>
          {t('settings.theme')}
          <small>{t('settings.themeNote')}</small>
        </span>
        <Segmented
          label={t('settings.theme')}
          value={theme}
          options={[
            { value: 'light', label: t('settings.light') },
            { value: 'dark', label: t('settings.dark') },
          ]}
          onChange={(next) => next !== theme && toggle()}
        />
      </div>
      {hasProject && (
        <div className={styles.setting}>
          <span>
            {t('words:apiKeys')}
            <small>{t('settings.keysNote')}</small>
          </span>
          <Button onClick={() => show({ window: { kind: 'connect', section: 'keys' } })}>{t('settings.keysOpen')}</Button>
        </div>
      )}
      <div className={styles.setting}>
        <span>
          {t('words:signOut')}
          <small>{t('settings.signOutNote')}</small>
        </span>
        <Button icon={<LogOut size={16} aria-hidden />} onClick={() => leave('signOut')}>
          {t('words:signOut')}
        </Button>
      </div>
      <Version />
    </div>
  );
}

/** Which version runs, and the notes of a newer one. */
function Version() {
  const { t } = useTranslation('account');
  const { value } = useRead('health.version', {});
  if (!value) return null;
  const { version, commit, newer } = value;
  return (
    <div className={styles.setting}>
      <small title={commit}>{t('settings.version', { version })}</small>
      {newer && (
        <a href={newer.notes} target="_blank" rel="noreferrer">
          {t('settings.newer', { version: newer.version })}
        </a>
      )}
    </div>
  );
}
