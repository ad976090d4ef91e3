import { useSession } from '../session/session-provider.tsx';
import { Button } from '../ui/controls/buttons/button.tsx';
import { buttonClass } from '../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { MenuIcon } from '../ui/icons/first-icons.ts';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { Logo } from '../ui/logo.tsx';
import { PageLink } from '../ui/navigation.tsx';
import { ThemeToggle } from '../ui/theme-toggle.tsx';
import styles from './landing-header.module.css';

const anchors = [
  { id: 'how-it-works', name: 'how' },
  { id: 'agents', name: 'agents' },
  { id: 'features', name: 'features' },
  { id: 'pricing', name: 'pricing' },
  { id: 'faq', name: 'faq' },
] as const;

/** The bar at the top of the landing page: its sections, sign-in, language and theme. P2.06 */
export function LandingHeader() {
  const { t } = useTranslation('landing');
  const { t: common } = useTranslation('common');
  const { auth, openLogin } = useSession();
  return (
    <header className={styles.header}>
      <div className={styles.column}>
        <PageLink to="/" className={styles.brand}>
          <Logo size={28} />
          {common('product')}
        </PageLink>
        <nav className={styles.nav} aria-label={t('header.nav')}>
          {anchors.map(({ id, name }) => (
            <a key={id} href={`#${id}`}>
              {t(`header.links.${name}`)}
            </a>
          ))}
        </nav>
        <div className={styles.controls}>
          <LanguageSwitch />
          <ThemeToggle size={36} />
          {auth.isLoggedIn ? (
            <PageLink to="/test-project" className={buttonClass({ size: 'm' })}>
              {t('header.open')}
            </PageLink>
          ) : (
            <Button onClick={() => openLogin()}>{t('common:signIn')}</Button>
          )}
          <button type="button" className={styles.menuButton} popoverTarget="section-menu" aria-label={t('header.nav')}>
            <MenuIcon size={20} />
          </button>
          <nav id="section-menu" popover="auto" className={styles.menu} aria-label={t('header.nav')}>
            {anchors.map(({ id, name }) => (
              <a key={id} href={`#${id}`} onClick={(event) => event.currentTarget.parentElement?.hidePopover()}>
                {t(`header.links.${name}`)}
              </a>
            ))}
          </nav>
        </div>
      </div>
    </header>
  );
}
