import { Link } from 'react-router-dom';
import { buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { House, MapPinOff } from '../../../ui/icons/icons.ts';
import { usePageTitle } from '../../../ui/use-page-title.ts';
import { NoticePage } from './notice-page.tsx';

/** The page for an unknown URL, with the layout of the other notice pages. */
export function NotFoundPage() {
  const { t } = useTranslation('common');
  usePageTitle(t('fault.notFoundTitle'));
  return (
    <NoticePage
      icon={<MapPinOff size={18} aria-hidden />}
      kicker={t('fault.notFoundKicker')}
      title={t('fault.title')}
      text={`${t('fault.notFoundTitle')}. ${t('fault.notFoundText')}`}
    >
      <Link to="/" className={buttonClass({ variant: 'primary', size: 'xl' })}>
        <House size={17} aria-hidden />
        {t('fault.home')}
      </Link>
    </NoticePage>
  );
}
