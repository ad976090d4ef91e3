import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { maxLineLength } from './code-measures.ts';
import type { DiffRow } from './diff-rows.ts';
import styles from './files.module.css';
import { VisibleText } from './visible-text.tsx';

const signs = { added: '+', removed: '−', same: '' } as const;

/**
 * A line of a comparison with its numbers. Added and removed lines also have a sign and a word. `whole`: a long line is wrapped and not cut, for
 * what a person approves.
 */
export function DiffLine({ row, whole = false }: { row: DiffRow; whole?: boolean }) {
  const { t, language } = useTranslation('console');
  if (row.kind === 'place') {
    return (
      <div className={styles.line} data-kind="place">
        <code>{row.text}</code>
      </div>
    );
  }
  const text = whole ? row.text : row.text.slice(0, maxLineLength);
  const cut = row.text.length - text.length;
  return (
    <div className={styles.line} data-kind={row.kind} data-whole={whole || undefined}>
      <span className={styles.number} aria-hidden>
        {row.before ?? ''}
      </span>
      <span className={styles.number} aria-hidden>
        {row.after ?? ''}
      </span>
      <span className={styles.sign}>
        <span aria-hidden>{signs[row.kind]}</span>
        {row.kind !== 'same' && (
          <span className="visually-hidden">{t(row.kind === 'added' ? 'files.lineAdded' : 'files.lineRemoved')} </span>
        )}
      </span>
      <code>
        <VisibleText text={text} />
        {cut > 0 && <span className={styles.cut}>{t('files.cut', { count: cut, shown: cut.toLocaleString(language) })}</span>}
      </code>
    </div>
  );
}
