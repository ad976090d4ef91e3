import { useState } from 'react';
import type { InputFile } from '../../../../../contract/input.ts';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { ReadAs } from '../../../../ui/files/read-as.tsx';
import { formatBytes } from '../../../../ui/i18n/format-bytes.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ArrowLeftToLine } from '../../../../ui/icons/icons.ts';
import { useRemoteData } from '../../lists/use-remote-data.ts';
import { CopyButton } from '../../marks/copy-button.tsx';
import { useWorkspaceContext } from '../../workspace-context.ts';
import { CodeView } from './code-view.tsx';
import { FileTree } from './file-tree.tsx';
import styles from './files.module.css';
import { Loaded } from './loaded.tsx';

const hashLength = 12;
const shaLength = 7;

/** The files that the user gave to the run: its base tree. */
export function BaseFiles({ setId }: { setId: string }) {
  const { t, language } = useTranslation('console');
  const { t: ofInputs } = useTranslation('inputs');
  const { mobile } = useWorkspaceContext();
  const [path, setPath] = useState<string | null>(null);
  const remote = useRemoteData('listInputs', [setId], setId);
  return (
    <Loaded remote={remote}>
      {({ files, git, count, bytes }) => {
        const chosen = files.find((file) => file.path === path) ?? (mobile ? null : (files[0] ?? null));
        const viewer = chosen && (
          <BaseFile key={chosen.path} setId={setId} file={chosen} onClose={mobile ? () => setPath(null) : undefined} />
        );
        if (mobile && viewer) return viewer;
        const size = formatBytes(bytes, language);
        return (
          <div className={styles.files} data-testid="base-files">
            <section className={styles.list} aria-label={t('files.given')}>
              <FileTree files={files} chosen={chosen?.path ?? null} onChoose={setPath} />
              <div className={styles.foot}>
                <p role="status">
                  {ofInputs('base.givenCount', { count, size })}
                  {git && <span>{ofInputs('base.fromGit', { ...git, sha: git.sha.slice(0, shaLength) })}</span>}
                </p>
              </div>
            </section>
            {viewer}
          </div>
        );
      }}
    </Loaded>
  );
}

type BaseFileProps = { setId: string; file: InputFile; onClose: (() => void) | undefined };

function BaseFile({ setId, file, onClose }: BaseFileProps) {
  const { t } = useTranslation('console');
  const { t: ofInputs } = useTranslation('inputs');
  const { path, kind, sha256 } = file;
  const isText = kind !== 'binary' && kind !== 'image';
  const text = useRemoteData('readInput', [setId, path], isText ? `${setId} ${path}` : null);
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
        <ReadAs className={styles.readAs} file={file} />
        {isText && <CopyButton text={text.value} label={t('files.copy')} done={t('files.copied')} />}
      </header>
      <div className={styles.panes} data-side="text">
        <div className={styles.pane} data-pane="text">
          {isText ? (
            <Loaded remote={text}>{(value) => <CodeView path={path} text={value} />}</Loaded>
          ) : (
            <p className={styles.nothing}>{ofInputs('base.notText', { hash: sha256.slice(0, hashLength) })}</p>
          )}
        </div>
      </div>
    </article>
  );
}
