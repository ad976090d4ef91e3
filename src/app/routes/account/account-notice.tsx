import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { House } from '../../../ui/icons/icons.ts';
import { NoticePage, type NoticePageProps } from '../notices/notice-page.tsx';

/** `outcome` is null until the link of the email has had an effect. */
type AccountNoticeProps = Omit<NoticePageProps, 'titleRef'> & { outcome: string | null };

/** A page that reports the outcome of a link in an email, with a way home. Screen readers read out each new outcome, which takes the focus. */
export function AccountNotice({ outcome, children, ...notice }: AccountNoticeProps) {
  const { t } = useTranslation('auth');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (outcome !== null) title.current?.focus();
  }, [outcome]);
  return (
    <NoticePage {...notice} titleRef={title}>
      {children}
      <Link to="/" className={buttonClass({ variant: 'ghost', size: 'xl' })}>
        <House size={17} aria-hidden />
        {t('common:home')}
      </Link>
    </NoticePage>
  );
}
