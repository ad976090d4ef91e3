import { useMemo } from 'react';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useVirtualRows } from '../../lists/use-virtual-rows.ts';
import { codeLanguage } from './code-language.ts';
import { lineHeight, maxLineLength } from './code-measures.ts';
import { CodeParts } from './code-parts.tsx';
import { ColouredLines } from './coloured-lines.ts';
import styles from './files.module.css';

/** A text with numbered lines. Of a long one only the lines near the view are rendered. */
export function CodeView({ path, text }: { path: string; text: string }) {
  const { t, language } = useTranslation('console');
  const lines = useMemo(() => new ColouredLines(text, codeLanguage(path)), [path, text]);
  const { first, end, above, below, scroller } = useVirtualRows(lines.count, lineHeight);
  if (text === '') return <p className={styles.nothing}>{t('files.emptyFile')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section ref={scroller} className={styles.code} tabIndex={0} aria-label={path} data-testid="file-text">
      <div className={styles.lines} style={{ paddingTop: above, paddingBottom: below }}>
        {Array.from({ length: end - first }, (_, index) => {
          const at = first + index;
          const cut = lines.lengthOf(at) - maxLineLength;
          return (
            <div key={at} className={styles.line}>
              <span className={styles.number} aria-hidden>
                {at + 1}
              </span>
              <code>
                <CodeParts parts={lines.parts(at, maxLineLength)} />
                {cut > 0 && <span className={styles.cut}>{t('files.cut', { count: cut, shown: cut.toLocaleString(language) })}</span>}
              </code>
            </div>
          );
        })}
      </div>
    </section>
  );
}
