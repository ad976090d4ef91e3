import { useMemo } from 'react';
import type { FileComparison } from '../../../../../contract/executions/file.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useRead } from '../../../server-data/use-read.ts';
import { useVirtualRows } from '../../lists/use-virtual-rows.ts';
import { useDayText } from '../../time/use-day-text.ts';
import { isPlainChange } from './change-of-file.tsx';
import { lineHeight } from './code-measures.ts';
import { DiffLine } from './diff-line.tsx';
import { type DiffRow, diffRows } from './diff-rows.ts';
import styles from './files.module.css';
import { Loaded } from './loaded.tsx';

/** The differences of a file from its earlier version. */
export function Comparison({ executionId, path, version }: { executionId: string; path: string; version: string }) {
  const remote = useRead('execution.fileComparison', { params: { id: executionId }, query: { path } }, { when: version });
  return (
    <div className={styles.pane} data-pane="changes" data-testid="file-changes">
      <Loaded remote={remote}>{(value) => <Changes comparison={value} />}</Loaded>
    </div>
  );
}

function Changes({ comparison }: { comparison: FileComparison }) {
  const { against, additions, deletions, diff } = comparison;
  const { t, language } = useTranslation('console');
  const { t: ofInputs } = useTranslation('inputs');
  const dayText = useDayText();
  const rows = useMemo(() => diffRows(diff), [diff]);
  const { first, end, above, below, scroller } = useVirtualRows(rows.length, lineHeight);
  return (
    <>
      <p className={styles.against}>
        <span>
          {against === null
            ? ofInputs('changes.nothingBefore')
            : against.from === 'base'
              ? t('files.againstBase')
              : against.from === 'step'
                ? ofInputs('changes.againstStep', { name: against.stepName })
                : ofInputs('changes.againstRun', { when: dayText(against.createdAt) })}
        </span>
        <span className={styles.plus}>+{additions.toLocaleString(language)}</span>
        <span className={styles.minus}>−{deletions.toLocaleString(language)}</span>
      </p>
      {rows.length === 0 ? (
        <p className={styles.nothing}>
          {isPlainChange(comparison) ? ofInputs('changes.same') : <NoLines isBinary={comparison.isBinary} />}
        </p>
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

/** Why a file that is renamed, has another mode, or is not text has no lines to show. */
function NoLines({ isBinary }: { isBinary: boolean }) {
  const { t } = useTranslation('inputs');
  return t(isBinary ? 'changes.binaryLines' : 'changes.noLines');
}
