import { useState } from 'react';
import type { VersionGroup } from '../../../../contract/canvas-version.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Bookmark, Play } from '../../../ui/icons/icons.ts';
import { useSend } from '../frame/use-send.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { MarkForm } from './mark-form.tsx';
import { useVersionWords } from './use-version-words.ts';
import styles from './versions.module.css';

type VersionRowProps = {
  group: VersionGroup;
  isCurrent: boolean;
  /** The titles of the released teams that run this canvas. */
  live: readonly string[];
  onChanged: () => void;
  /** Called with the version's name, or its time, before the comparison with it is shown. */
  onOpened: (name: string) => void;
};

/** A version: when, who and what, and its mark. Pressing it compares the canvas with it. */
export function VersionRow({ group, isCurrent, live, onChanged, onOpened }: VersionRowProps) {
  const { t } = useTranslation('versions');
  const { readOnly, mobile } = useWorkspaceContext();
  const { dayOf, timeOf, changesOf } = useVersionWords();
  const [isNaming, setNaming] = useState(false);
  const { send, isBusy, problem } = useSend();
  const { version, mark, author, titles } = group;
  const open = () => {
    if (isBusy) return;
    onOpened(mark?.name ?? `${dayOf(group)} ${timeOf(group)}`);
    void send({ type: 'version.compare', version });
  };
  return (
    <li className={styles.item} data-marked={mark?.kind} data-testid="version-row" data-version={version}>
      <button type="button" className={styles.face} onClick={open}>
        {mark && (
          <strong className={styles.mark}>
            {mark.kind === 'run' ? <Play size={13} aria-hidden /> : <Bookmark size={14} aria-hidden />}
            <span>{mark.kind === 'run' ? t('beforeRun', { task: mark.name }) : mark.name}</span>
          </strong>
        )}
        {mark?.note && <span className={styles.text}>{mark.note}</span>}
        <span className={styles.top}>
          <span className={styles.when}>{timeOf(group)}</span>
          <span className={styles.author}>{author?.name}</span>
          {isBusy && <Spinner size={14} />}
          {isCurrent && <Badge tone="accent">{t('current')}</Badge>}
          <span className={styles.number}>{t('words:versionNumber', { version })}</span>
        </span>
        <span className={styles.what}>{changesOf(group)}</span>
        {live.length > 0 && (
          <span>
            <Badge tone="success">{t('live', { teams: live.join(', ') })}</Badge>
          </span>
        )}
        {titles.length > 0 && <span className={styles.text}>{titles.join(' · ')}</span>}
      </button>
      {!readOnly && (
        <span className={styles.rowTools}>
          <IconButton
            label={mark?.kind === 'hand' ? t('rename') : t('mark')}
            size={mobile ? 40 : 28}
            icon={<Bookmark size={15} />}
            pressed={isNaming}
            onClick={() => setNaming(!isNaming)}
          />
        </span>
      )}
      <ProblemNote problem={problem} className={styles.refused} />
      {isNaming && <MarkForm version={version} mark={mark} onDone={() => setNaming(false)} onChanged={onChanged} />}
    </li>
  );
}
