import { useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ChevronDown, ChevronRight, FileCode, FileText } from '../../../../ui/icons/icons.ts';
import { useVirtualRows } from '../../lists/use-virtual-rows.ts';
import { useWorkspaceContext } from '../../workspace-context.ts';
import { ChangeMark } from './change-of-file.tsx';
import { codeLanguage } from './code-language.ts';
import styles from './files.module.css';
import { treeStep } from './tree-keys.ts';
import { type TreeFile, type TreeRow, treeRows } from './tree-rows.ts';

/** CSS px. */
const rowHeight = 30;
const rowHeightOnPhones = 44;

/** The files as a tree with one tab stop; the arrow keys move inside. */
export function FileTree({
  files,
  chosen,
  onChoose,
}: {
  files: readonly TreeFile[];
  chosen: string | null;
  onChoose: (path: string) => void;
}) {
  const { t } = useTranslation('console');
  const { mobile } = useWorkspaceContext();
  const id = useId();
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set());
  const [active, setActive] = useState(chosen);
  const rows = useMemo(() => treeRows(files, closed), [files, closed]);
  const height = mobile ? rowHeightOnPhones : rowHeight;
  const { first, end, above, below, scroller, reveal } = useVirtualRows(rows.length, height);
  const at = rows.findIndex((row) => row.id === active);
  // The focused row is always rendered, for screen readers.
  useEffect(() => reveal(at), [at, reveal]);

  const toggle = (folder: string) => {
    const next = new Set(closed);
    if (!next.delete(folder)) next.add(folder);
    setClosed(next);
  };
  const press = (row: TreeRow) => {
    setActive(row.id);
    if (row.kind === 'folder') toggle(row.id);
    else onChoose(row.id);
  };
  return (
    <div
      ref={scroller}
      role="tree"
      tabIndex={0}
      aria-label={t('files.tree')}
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
        if ('to' in step) setActive(step.to);
        else if ('toggle' in step) toggle(step.toggle);
        else onChoose(step.choose);
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
            {row.kind === 'folder' ? <FolderLine row={row} /> : <FileLine row={row} />}
          </div>
        ))}
      </div>
    </div>
  );
}

function FolderLine({ row }: { row: TreeRow & { kind: 'folder' } }) {
  const Chevron = row.open ? ChevronDown : ChevronRight;
  return (
    <>
      <Chevron size={15} aria-hidden />
      <bdi className={styles.name}>{row.name}</bdi>
    </>
  );
}

function FileLine({ row: { name, file } }: { row: TreeRow & { kind: 'file' } }) {
  const Picture = codeLanguage(file.path) ? FileCode : FileText;
  const { change, from = null, similarity = null, executable = null, isBinary = false } = file;
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
      {change !== undefined && <ChangeMark change={{ change, from, similarity, executable, isBinary }} />}
    </>
  );
}
