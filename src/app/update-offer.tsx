import { useState } from 'react';
import { Button } from '../ui/controls/buttons/button.tsx';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { useNewVersion } from '../ui/new-version.ts';
import { useIsIdle } from '../ui/use-is-idle.ts';
import styles from './update-offer.module.css';

/**
 * Offers to reload a page whose server has a newer client. It appears only while the user neither types nor holds the pointer down,
 * and never reloads by itself. Unsaved edits of the workspace are in the journal and are restored.
 */
export function UpdateOffer() {
  return useNewVersion() ? <Offer /> : null;
}

function Offer() {
  const { t } = useTranslation('common');
  const [isPutOff, setPutOff] = useState(false);
  const [isShown, setShown] = useState(false);
  const isIdle = useIsIdle();
  if (isIdle && !isShown) setShown(true);
  if (isPutOff || !isShown) return null;
  return (
    <aside className={styles.offer} role="status" data-testid="update-offer">
      <p className={styles.text}>
        {t('part.newVersion')} {location.pathname === '/test-project' && t('part.kept')}
      </p>
      <div className={styles.buttons}>
        <Button size="s" variant="primary" onClick={() => location.reload()}>
          {t('part.reload')}
        </Button>
        <Button size="s" variant="ghost" onClick={() => setPutOff(true)}>
          {t('part.later')}
        </Button>
      </div>
    </aside>
  );
}
