import { useEffect, useState } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Copy, House, TriangleAlert } from '../../../ui/icons/first-icons.ts';
import { checkVersion, useNewVersion } from '../../../ui/new-version.ts';
import { NoticePage } from './notice-page.tsx';

type FaultCause = 'offline' | 'newVersion' | 'fault';

/** Shown after an error while rendering. Tells whether the connection, an update of the server or the page itself is the cause. */
export function ErrorPage({ details, isLoadError }: { details: string; isLoadError: boolean }) {
  const { t } = useTranslation('common');
  const [copied, setCopied] = useState(false);
  const isNew = useNewVersion();
  useEffect(() => void checkVersion(), []);
  const cause: FaultCause = isNew ? 'newVersion' : isLoadError && !navigator.onLine ? 'offline' : 'fault';
  const hasWork = location.pathname === '/test-project';
  return (
    <NoticePage
      icon={<TriangleAlert size={18} aria-hidden />}
      kicker={t('fault.kicker')}
      title={t(cause === 'fault' ? 'fault.title' : `fault.${cause}Title`)}
      text={[t(cause === 'fault' ? 'fault.text' : `fault.${cause}`), ...(hasWork ? [t('fault.kept')] : [])].join(' ')}
    >
      <Button size="xl" variant="primary" onClick={() => location.reload()}>
        {t('fault.reload')}
      </Button>
      {/* A whole new page, not a route: what failed must not be carried over. */}
      <a href="/" className={buttonClass({ size: 'xl' })}>
        <House size={17} aria-hidden />
        {t('fault.home')}
      </a>
      <Button
        size="xl"
        icon={<Copy size={17} aria-hidden />}
        onClick={() => void navigator.clipboard.writeText(`${location.href}\n${details}`).then(() => setCopied(true))}
      >
        {copied ? t('copied') : t('fault.copy')}
      </Button>
    </NoticePage>
  );
}
