import { useMemo } from 'react';
import type { FileComparison } from '../../../../../contract/file.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useDayText } from '../../use-day-text.ts';
import { useReading } from '../../use-reading.ts';
import { useVirtualRows } from '../../use-virtual-rows.ts';
import { lineHeight, longestLine } from './code-measures.ts';
import { CodeParts } from './code-parts.tsx';
import { withHidden } from './colour-code.ts';
import { type DiffRow, diffRows } from './diff-rows.ts';
import styles from './files.module.css';
import { Loaded } from './loaded.tsx';

/** How a file differs from what it was before. */
export function Comparison({ executionId, path, version }: { executionId: string; path: string; version: string }) {
  const reading = useReading('compareFile', [executionId, path], `${executionId} ${path} ${version}`, `${executionId} ${path}`);
  return (
    <div className={styles.pane} data-pane="changes" data-testid="file-changes">
      <Loaded reading={reading}>{(value) => <Changes comparison={value} />}</Loaded>
    </div>
  );
}

function Changes({ comparison: { against, additions, deletions, diff } }: { comparison: FileComparison }) {
  const { t, language } = useTranslation('console');
  const dayText = useDayText();
  const rows = useMemo(() => diffRows(diff), [diff]);
  const { first, end, above, below, scroller } = useVirtualRows(rows.length, lineHeight);
  return (
    <>
      <p className={styles.against}>
        <span>
          {against === null
            ? t('files.nothingBefore')
            : against.from === 'step'
              ? t('files.againstStep', { name: against.stepName })
              : t('files.againstRun', { when: dayText(against.createdAt) })}
        </span>
        <span className={styles.plus}>+{additions.toLocaleString(language)}</span>
        <span className={styles.minus}>−{deletions.toLocaleString(language)}</span>
      </p>
      {rows.length === 0 ? (
        <p className={styles.nothing}>{t('files.same')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <section ref={scroller} className={styles.code} tabIndex={0} aria-label={t('files.changes')}>
          <div className={styles.lines} style={{ paddingTop: above, paddingBottom: below }}>
            {Array.from({ length: end - first }, (_, index) => {
              const at = first + index;
              return <DiffLine key={at} row={rows[at] as DiffRow} />;
            })}
          </div>
        </section>
      )}
    </>
  );
}

const signs = { added: '+', removed: '−', same: '' } as const;

function DiffLine({ row }: { row: DiffRow }) {
  const { t } = useTranslation('console');
  if (row.kind === 'place') {
    return (
      <div className={styles.line} data-kind="place">
        <code>{row.text}</code>
      </div>
    );
  }
  return (
    <div className={styles.line} data-kind={row.kind}>
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
        <CodeParts parts={withHidden([{ kind: 'plain', text: row.text.slice(0, longestLine) }])} />
      </code>
    </div>
  );
}
