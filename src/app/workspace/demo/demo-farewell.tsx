import { useEffect, useState } from 'react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { X } from '../../../ui/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import panel from '../panel.module.css';
import styles from './demo.module.css';
import { TryYourself } from './try-yourself.tsx';

/** Where the demonstration has come to its end: the invitation to do the same with a task of one's own. */
export function DemoFarewell() {
  const { t } = useTranslation('workspace');
  const finished = useWorkspace((state) => state.run.outcome === 'completed');
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    if (!finished) setHidden(false);
  }, [finished]);
  if (!finished || hidden) return null;
  return (
    <section className={`${panel.panel} ${styles.farewell}`} aria-label={t('demo.farewell.title')} data-panel data-testid="demo-farewell">
      <p>
        <strong>{t('demo.farewell.title')}</strong>
        <span>{t('demo.farewell.text')}</span>
      </p>
      <TryYourself />
      <IconButton label={t('demo.farewell.close')} size={32} icon={<X size={16} />} onClick={() => setHidden(true)} />
    </section>
  );
}
