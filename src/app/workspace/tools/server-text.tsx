import { useState } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CodeParts } from '../console/files/code-parts.tsx';
import { withHidden } from '../console/files/colour-code.ts';
import styles from './tools.module.css';

/** A text of a tool server. Characters that are not seen are shown as their numbers: a model would read them. */
export function ServerText({ text }: { text: string }) {
  return <CodeParts parts={withHidden([{ kind: 'plain', text }])} />;
}

/** A text that may be longer than four lines of the window (characters). */
const shortLength = 240;
const shortLines = 4;

/** The same of any length: its first lines, and all of it on request. */
export function LongText({ text }: { text: string }) {
  const { t } = useTranslation('tool-servers');
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > shortLength || text.split('\n').length > shortLines;
  return (
    <div className={styles.longText}>
      <p className={styles.description} data-whole={isWhole || !isLong || undefined}>
        <ServerText text={text} />
      </p>
      {isLong && (
        <Button size="s" variant="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'showLess' : 'showAll')}
        </Button>
      )}
    </div>
  );
}
