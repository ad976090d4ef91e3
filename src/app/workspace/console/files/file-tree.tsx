import { useCallback, useEffect, useId, useState } from 'react';
import type { InputRefusal } from '../../../../../contract/input.ts';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ChevronDown, ChevronRight, Ellipsis, FileCode, FileText, GitBranch, Link2 } from '../../../../ui/icons/icons.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { useVirtualRows } from '../../lists/use-virtual-rows.ts';
import { ChangeMark } from './change-of-file.tsx';
import { codeLanguage } from './code-language.ts';
import styles from './files.module.css';
import { treeStep } from './tree-keys.ts';
import type { TreeRow } from './tree-rows.ts';

/** CSS px. */
const rowHeight = 30;
const rowHeightOnPhones = 44;

/** Returns the folders that a person has closed, and what closes or opens one. */
export function useClosedFolders(): [ReadonlySet<string>, (folder: string) => void] {
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set());
  const toggle = useCallback((folder: string) => {
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(folder)) next.add(folder);
      return next;
    });
  }, []);
  return [closed, toggle];
}

type FileTreeProps = {
  rows: readonly TreeRow[];
  chosen: string | null;
  /** The folder that is being loaded. */
  loading?: string | null;
  onPress: (row: TreeRow) => void;
};

/** The files as a tree with one tab stop; the arrow keys move inside. */
export function FileTree({ rows, chosen, loading = null, onPress }: FileTreeProps) {
  const { t } = useTranslation('console');
  const { mobile } = useWorkspaceContext();
  const id = useId();
  const [active, setActive] = useState(chosen);
  const height = mobile ? rowHeightOnPhones : rowHeight;
  const { first, end, above, below, scroller, reveal } = useVirtualRows(rows.length, height);
  const at = rows.findIndex((row) => row.id === active);
  // The focused row is always rendered, for screen readers.
  useEffect(() => reveal(at), [at, reveal]);

  const press = (row: TreeRow) => {
    // Further rows take the place of the one that asks for them.
    setActive(row.kind === 'more' ? (rows[rows.indexOf(row) - 1]?.id ?? null) : row.id);
    onPress(row);
  };
  return (
    <div
      ref={scroller}
      role="tree"
      tabIndex={0}
      aria-label={t('words:filesOfRun')}
      aria-activedescendant={at >= first && at < end ? `${id}-${at}` : undefined}
      className={styles.tree}
      data-testid="file-tree"
      onFocus={() => at < 0 && setActive(rows.find((row) => row.id === chosen)?.id ?? rows[0]?.id ?? null)}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const step = treeStep(rows, active, event.key);
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        if ('to' in step) return setActive(step.to);
        const pressed = rows.find((row) => row.id === ('toggle' in step ? step.toggle : step.choose));
        if (pressed) press(pressed);
      }}
    >
      <div role="presentation" style={{ paddingTop: above, paddingBottom: below }}>
        {rows.slice(first, end).map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for all of its lines
          // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the active line
          <div
            key={row.id}
            id={`${id}-${first + index}`}
            role="treeitem"
            aria-level={row.level}
            aria-posinset={row.position}
            aria-setsize={row.siblings}
            aria-selected={row.kind === 'file' && row.id === chosen}
            aria-expanded={row.kind === 'folder' ? row.open : undefined}
            className={styles.node}
            data-active={row.id === active || undefined}
            style={{ height, paddingLeft: 10 + (row.level - 1) * 16 }}
            onClick={() => press(row)}
          >
            {row.kind === 'folder' ? (
              <FolderLine row={row} isLoading={row.id === loading} />
            ) : row.kind === 'file' ? (
              <FileLine row={row} />
            ) : (
              <MoreLine isLoading={row.folder === loading} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function FolderLine({ row, isLoading }: { row: TreeRow & { kind: 'folder' }; isLoading: boolean }) {
  const { t, language } = useTranslation('inputs');
  const Chevron = row.open ? ChevronDown : ChevronRight;
  return (
    <>
      {isLoading ? <Spinner size={15} /> : <Chevron size={15} aria-hidden />}
      <bdi className={styles.name} title={row.name}>
        {row.name}
      </bdi>
      {row.count !== undefined && (
        <span className={styles.note}>{t('base.inFolder', { count: row.count, shown: row.count.toLocaleString(language) })}</span>
      )}
    </>
  );
}

function MoreLine({ isLoading }: { isLoading: boolean }) {
  const { t } = useTranslation('inputs');
  return (
    <>
      {isLoading ? <Spinner size={15} /> : <Ellipsis size={15} aria-hidden />}
      <span className={styles.more}>{t('base.more')}</span>
    </>
  );
}

function FileLine({ row: { name, file } }: { row: TreeRow & { kind: 'file' } }) {
  const { leftOut, change, from = null, similarity = null, executable = null, isBinary = false } = file;
  const Picture =
    leftOut === 'link' ? Link2 : leftOut === 'submodule' ? GitBranch : codeLanguage(file.path) && !leftOut ? FileCode : FileText;
  return (
    <>
      <Picture size={15} aria-hidden />
      <bdi className={styles.name} data-change={change} title={file.path}>
        {name}
      </bdi>
      {from !== null && (
        <bdi className={styles.from} aria-hidden title={from}>
          ← {from}
        </bdi>
      )}
      {leftOut && <LeftOutMark reason={leftOut} />}
      {change !== undefined && <ChangeMark change={{ change, from, similarity, executable, isBinary }} />}
    </>
  );
}

function LeftOutMark({ reason }: { reason: InputRefusal }) {
  const { t } = useTranslation('inputs');
  return <span className={styles.note}>{t(`base.kinds.${kindOfLeftOut(reason)}`)}</span>;
}

/** What a path is that is known by its name only. */
export function kindOfLeftOut(reason: InputRefusal): 'link' | 'submodule' | 'lfs' | 'other' {
  return reason === 'link' || reason === 'submodule' || reason === 'lfs' ? reason : 'other';
}
