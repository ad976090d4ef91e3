import { useTranslation } from '../ui/i18n/use-translation.ts';
import { Logo } from '../ui/logo.tsx';
import styles from './landing-footer.module.css';
import { contactEmail, type FooterLink, footerLinks } from './landing-links.ts';

/** The end of the landing page: the product, its links and the address for questions. */
export function LandingFooter() {
  const { t } = useTranslation('landing');
  const { t: common } = useTranslation('common');
  return (
    <footer className={styles.footer}>
      <div className={styles.column}>
        <span className={styles.brand}>
          <Logo size={24} />
          {common('product')}
        </span>
        <span className={styles.motto}>{t('footer.motto')}</span>
        <ul className={styles.links} aria-label={t('footer.links')}>
          {footerLinks.map((link) => (
            <li key={link.key}>
              <Target link={link} />
            </li>
          ))}
        </ul>
        <a href="#content" className={styles.top}>
          {t('footer.top')}
        </a>
      </div>
    </footer>
  );
}

/** A link, or its name as plain text if the operator has set no target. */
function Target({ link: { key: name, target } }: { link: FooterLink }) {
  const { t } = useTranslation('landing');
  const text = name === 'mail' && contactEmail ? contactEmail : t(`footer.${name}`);
  return target ? <a href={target}>{text}</a> : <span>{text}</span>;
}
