import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { buttonClass } from '../../ui/controls/button-class.ts';
import { Copy, House, TriangleAlert } from '../../ui/first-icons.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { NoticePage } from './notice-page.tsx';

/** Something failed while drawing. */
export function FaultPage({ details }: { details: string }) {
  const { t } = useTranslation('common');
  const [copied, setCopied] = useState(false);
  return (
    <NoticePage icon={<TriangleAlert size={18} aria-hidden />} kicker={t('fault.kicker')} title={t('fault.title')} text={t('fault.text')}>
      {/* A whole new page, not a route: what failed must not be carried over. */}
      <a href="/" className={buttonClass({ variant: 'primary', size: 'xl' })}>
        <House size={17} aria-hidden />
        {t('fault.home')}
      </a>
      <Button
        size="xl"
        icon={<Copy size={17} aria-hidden />}
        onClick={() => void navigator.clipboard.writeText(`${location.href}\n${details}`).then(() => setCopied(true))}
      >
        {copied ? t('fault.copied') : t('fault.copy')}
      </Button>
    </NoticePage>
  );
}
