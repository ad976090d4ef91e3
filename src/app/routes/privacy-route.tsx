import { Link } from 'react-router-dom';
import { contactEmail, requestLink } from '../../landing/landing-links.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LanguageSwitch } from '../../ui/language-switch.tsx';
import { Logo } from '../../ui/logo.tsx';
import { ThemeToggle } from '../../ui/theme-toggle.tsx';
import { usePageTitle } from '../use-page-title.ts';
import styles from './privacy-route.module.css';

/** The date of the text's last change. P2 */
const updated = new Date('2024-07-25T00:00:00Z');

const points = ['first', 'second', 'third'] as const;
const sections = ['use', 'sharing', 'security'] as const;

/** The privacy policy. The Russian text is binding; other languages get a translation that says so. */
export function PrivacyRoute() {
  const { t, language } = useTranslation('privacy');
  const { t: common } = useTranslation('common');
  usePageTitle(t('title'));
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(updated);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link to="/" className={styles.brand}>
          <Logo size={28} />
          {common('product')}
        </Link>
        <LanguageSwitch />
        <ThemeToggle size={36} />
      </header>
      <main className={styles.text}>
        <h1 className={styles.title}>{t('title')}</h1>
        <p className={styles.updated}>{t('updated', { date })}</p>
        <p>{t('intro')}</p>
        {language !== 'ru' && <p>{t('translation')}</p>}
        <h2>{t('collected.title')}</h2>
        <ul>
          {([...points, 'fourth'] as const).map((point) => (
            <li key={point}>{t(`collected.${point}`)}</li>
          ))}
        </ul>
        {sections.map((section) => (
          <section key={section}>
            <h2>{t(`${section}.title`)}</h2>
            <ul>
              {points.map((point) => (
                <li key={point}>{t(`${section}.${point}`)}</li>
              ))}
            </ul>
          </section>
        ))}
        <h2>{t('contact.title')}</h2>
        <ul>
          {points.map((point) => (
            <li key={point}>{t(`contact.${point}`)}</li>
          ))}
        </ul>
        <p>{t('contact.text')}</p>
        <p>
          {contactEmail ? (
            <a href={`mailto:${contactEmail}`}>{t('contact.mail', { address: contactEmail })}</a>
          ) : (
            <a href={`/${requestLink}`}>{t('contact.form')}</a>
          )}
        </p>
        <p className={styles.back}>
          <Link to="/">{t('back')}</Link>
        </p>
      </main>
    </div>
  );
}
