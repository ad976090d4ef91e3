import { useState } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { VisibleText } from '../console/files/visible-text.tsx';
import styles from './tools.module.css';

/** A text that may be longer than four lines of the window (characters). */
const shortLength = 240;
const shortLines = 4;

/** A text of a tool server, of any length: its first lines, and all of it on request. */
export function LongText({ text }: { text: string }) {
  const { t } = useTranslation('tool-servers');
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > shortLength || text.split('\n').length > shortLines;
  return (
    <div className={styles.longText}>
      <p className={styles.description} data-whole={isWhole || !isLong || undefined}>
        <VisibleText text={text} />
      </p>
      {isLong && (
        <Button size="s" variant="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'showLess' : 'showAll')}
        </Button>
      )}
    </div>
  );
}
