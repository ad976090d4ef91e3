import { Link } from 'react-router-dom';
import { contactEmail, requestLink } from '../../landing/landing-links.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LanguageSwitch } from '../../ui/language-switch.tsx';
import { Logo } from '../../ui/logo.tsx';
import { ThemeToggle } from '../../ui/theme-toggle.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import styles from './privacy-route.module.css';

/** The date of the text's last change. P2 */
const updated = new Date('2024-07-25T00:00:00Z');

const points = ['first', 'second', 'third'] as const;

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
        <Part title={t('collected.title')} points={([...points, 'fourth'] as const).map((point) => t(`collected.${point}`))} />
        <Part title={t('use.title')} points={points.map((point) => t(`use.${point}`))} />
        <Part
          title={t('sharing.title')}
          points={(['first', 'runner', 'services', 'second', 'third'] as const).map((point) => t(`sharing.${point}`))}
        />
        <Part title={t('security.title')} points={points.map((point) => t(`security.${point}`))} />
        <Part title={t('contact.title')} points={points.map((point) => t(`contact.${point}`))} />
        <p>{t('contact.text')}</p>
        <p>
          {contactEmail ? (
            <a href={`mailto:${contactEmail}`}>{t('contact.mail', { address: contactEmail })}</a>
          ) : (
            <a href={`/${requestLink}`}>{t('contact.form')}</a>
          )}
        </p>
        <p className={styles.back}>
          <Link to="/">{t('common:home')}</Link>
        </p>
      </main>
    </div>
  );
}

function Part({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </section>
  );
}
