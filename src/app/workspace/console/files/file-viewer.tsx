import { useState } from 'react';
import type { ExecutionFile } from '../../../../../contract/executions/file.ts';
import { roleHue } from '../../../../model/agents/roles.ts';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { Segmented } from '../../../../ui/controls/fields/segmented.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ArrowLeftToLine, FileDown } from '../../../../ui/icons/icons.ts';
import { RoleTile } from '../../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../../ui/icons/role-icon-name.ts';
import { useRead } from '../../../server-data/use-read.ts';
import { saveFile } from '../../frame/save-file.ts';
import { CopyButton } from '../../marks/copy-button.tsx';
import { SimulatedBadge } from '../../marks/simulated-badge.tsx';
import { formatClock } from '../../time/format-moment.ts';
import { ChangeText, isPlainChange } from './change-of-file.tsx';
import { CodeView } from './code-view.tsx';
import { Comparison } from './comparison.tsx';
import styles from './files.module.css';
import { Loaded } from './loaded.tsx';

type FileViewerProps = {
  executionId: string;
  file: ExecutionFile;
  /** Changes when the file does. */
  version: string;
  /** Goes back to the tree, on screens without space for both. */
  onClose: (() => void) | undefined;
};

/** A file's text, author and differences. The content is always shown as text. */
export function FileViewer({ executionId, file, version, onClose }: FileViewerProps) {
  const { t, language } = useTranslation('console');
  const { path } = file;
  const hasText = file.change !== 'removed' && !file.isBinary;
  const [chosen, setSide] = useState<'text' | 'changes'>('text');
  // A removed file, and one that is not text, have only their change.
  const side = hasText ? chosen : 'changes';
  const input = hasText ? { params: { id: executionId }, query: { path } } : null;
  const text = useRead('execution.fileContent', input, { when: version });
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = path.slice(folder.length);
  return (
    <article className={styles.viewer} aria-label={path} data-testid="file-viewer">
      <header className={styles.head}>
        {onClose && <IconButton label={t('files.back')} size={40} icon={<ArrowLeftToLine size={17} />} onClick={onClose} />}
        <h2 className={styles.path} data-change={file.change} title={path}>
          <bdi>
            <span className={styles.folder}>{folder}</span>
            <strong>{name}</strong>
          </bdi>
        </h2>
        {!isPlainChange(file) && <ChangeText change={file} />}
        {file.simulated && <SimulatedBadge />}
        <span className={styles.author}>
          <RoleTile name={roleIconName(file.role)} hue={roleHue(file.role)} size={22} />
          <span>{file.agentTitle}</span>
          <time dateTime={file.createdAt}>{formatClock(file.createdAt, language)}</time>
        </span>
        {hasText && file.hasPrevious && (
          <span className={styles.sides}>
            <Segmented
              label={t('whatToShow')}
              value={side}
              options={[
                { value: 'text', label: t('files.text') },
                { value: 'changes', label: t('files.changes') },
              ]}
              onChange={setSide}
            />
          </span>
        )}
        {hasText && (
          <>
            <CopyButton text={text.value} label={t('files.copy')} done={t('common:copied')} />
            <IconButton
              label={t('files.save')}
              icon={<FileDown size={16} />}
              disabled={text.value === null}
              onClick={() => saveFile(new Blob([text.value ?? ''], { type: 'application/octet-stream' }), name)}
            />
          </>
        )}
      </header>
      <div className={styles.panes} data-side={file.hasPrevious || !hasText ? side : 'text'}>
        {hasText && (
          <div className={styles.pane} data-pane="text">
            <Loaded remote={text}>{(value) => <CodeView path={path} text={value} />}</Loaded>
          </div>
        )}
        {(file.hasPrevious || !hasText) && <Comparison executionId={executionId} path={path} version={version} />}
      </div>
    </article>
  );
}
