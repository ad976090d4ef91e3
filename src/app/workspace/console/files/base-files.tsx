import { useMemo, useState } from 'react';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { SearchField } from '../../../../ui/controls/fields/search-field.tsx';
import { ProblemNote } from '../../../../ui/controls/problem-note.tsx';
import { ReadAs } from '../../../../ui/files/read-as.tsx';
import { formatBytes } from '../../../../ui/i18n/format-bytes.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ArrowLeftToLine } from '../../../../ui/icons/icons.ts';
import { useDebounced } from '../../../../ui/use-debounced.ts';
import { useRead } from '../../../server-data/use-read.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { CopyButton } from '../../marks/copy-button.tsx';
import { CodeView } from './code-view.tsx';
import { FileTree, kindOfLeftOut, useClosedFolders } from './file-tree.tsx';
import styles from './files.module.css';
import { Loaded } from './loaded.tsx';
import { type TreeRow, treeRows } from './tree-rows.ts';
import { type BaseEntry, type LeftOut, useBasePages } from './use-base-pages.ts';

const hashLength = 12;
const shaLength = 7;
const searchAfterMs = 250;

/** The files that the user gave to the run: its base tree. C6.04 */
export function BaseFiles({ setId }: { setId: string }) {
  const { t } = useTranslation('console');
  const { mobile } = useWorkspaceContext();
  const [query, setQuery] = useState('');
  const pages = useBasePages(setId, useDebounced(query.trim(), searchAfterMs));
  const [closed, toggle] = useClosedFolders();
  const { entries, unloaded, problem } = pages;
  const rows = useMemo(
    () =>
      treeRows(
        entries.map(({ path: of, leftOut }) => (leftOut ? { path: of, leftOut: leftOut.reason } : { path: of })),
        closed,
        unloaded,
      ),
    [entries, closed, unloaded],
  );
  const [opened, setOpened] = useState<BaseEntry | null>(null);
  const chosen = opened ?? (mobile ? null : (entries[0] ?? null));
  const viewer = chosen && <BaseFile key={chosen.path} setId={setId} entry={chosen} onClose={mobile ? () => setOpened(null) : undefined} />;
  if (mobile && viewer) return viewer;
  const press = (row: TreeRow) => {
    if (row.kind === 'more') pages.open(row.folder);
    else if (row.kind === 'folder') row.count === undefined ? toggle(row.id) : pages.open(row.id);
    else setOpened(entries.find((entry) => entry.path === row.id) ?? null);
  };
  return (
    <div className={styles.files} data-testid="base-files">
      <section className={styles.list} aria-label={t('files.given')}>
        <div className={styles.search}>
          <SearchField label={t('files.search')} size={mobile ? 'xl' : 's'} maxLength={200} value={query} onSearch={setQuery} />
        </div>
        <Loaded remote={{ value: pages.isLoaded || null, problem, loading: pages.loading !== null, again: pages.again }}>
          {() => (
            <>
              <ProblemNote problem={problem} className={styles.nothing} />
              {rows.length === 0 && pages.search !== '' ? (
                <p className={styles.nothing}>{t('files.nothing', { query: pages.search })}</p>
              ) : (
                <FileTree key={pages.search} rows={rows} chosen={chosen?.path ?? null} loading={pages.loading} onPress={press} />
              )}
            </>
          )}
        </Loaded>
        <Source setId={setId} />
      </section>
      {viewer}
    </div>
  );
}

/** How many files a set has, and the repository that they come from. */
function Source({ setId }: { setId: string }) {
  const { t, language } = useTranslation('inputs');
  const { value } = useRead('input.get', { params: { id: setId } });
  return (
    <div className={styles.foot}>
      <p role="status">
        {value &&
          t('base.givenCount', {
            count: value.count,
            shown: value.count.toLocaleString(language),
            size: formatBytes(value.bytes, language),
          })}
        {value?.git && <span>{t('base.fromGit', { ...value.git, sha: value.git.sha.slice(0, shaLength) })}</span>}
      </p>
    </div>
  );
}

type BaseFileProps = { setId: string; entry: BaseEntry; onClose: (() => void) | undefined };

function BaseFile({ setId, entry: { path, file, leftOut }, onClose }: BaseFileProps) {
  const { t } = useTranslation('console');
  const { t: ofInputs } = useTranslation('inputs');
  const isText = file !== undefined && file.kind !== 'binary' && file.kind !== 'image';
  const text = useRead('input.fileText', isText ? { params: { id: setId }, query: { path } } : null);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return (
    <article className={styles.viewer} aria-label={path} data-testid="base-file">
      <header className={styles.head}>
        {onClose && <IconButton label={t('files.back')} size={40} icon={<ArrowLeftToLine size={17} />} onClick={onClose} />}
        <h2 className={styles.path} title={path}>
          <bdi>
            <span className={styles.folder}>{folder}</span>
            <strong>{path.slice(folder.length)}</strong>
          </bdi>
        </h2>
        {file && <ReadAs className={styles.readAs} file={file} />}
        {leftOut && <span className={styles.readAs}>{ofInputs(`base.kinds.${kindOfLeftOut(leftOut.reason)}`)}</span>}
        {isText && <CopyButton text={text.value} label={t('files.copy')} done={t('common:copied')} />}
      </header>
      <div className={styles.panes} data-side="text">
        <div className={styles.pane} data-pane="text">
          {isText ? (
            <Loaded remote={text}>{(value) => <CodeView path={path} text={value} />}</Loaded>
          ) : (
            <p className={styles.nothing}>
              {file ? ofInputs('base.notText', { hash: file.sha256.slice(0, hashLength) }) : <AboutLeftOut leftOut={leftOut} />}
            </p>
          )}
        </div>
      </div>
    </article>
  );
}

/** What a path is that is known by its name only. */
function AboutLeftOut({ leftOut: { reason, message } }: { leftOut: LeftOut }) {
  const { t } = useTranslation('inputs');
  const kind = kindOfLeftOut(reason);
  return kind === 'other' ? message : t(`base.about.${kind}`);
}
