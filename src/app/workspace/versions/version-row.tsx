import { useState } from 'react';
import type { VersionGroup } from '../../../../contract/canvas-version.ts';
import type { Problem } from '../../../model/problem.ts';
import { Badge } from '../../../ui/controls/badge.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Bookmark, Play } from '../../../ui/icons/icons.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { MarkForm } from './mark-form.tsx';
import { useVersionWords } from './use-version-words.ts';
import styles from './versions.module.css';

type VersionRowProps = {
  group: VersionGroup;
  isCurrent: boolean;
  onChanged: () => void;
  /** Called with the version's name, or its time, before the comparison with it is shown. */
  onOpened: (name: string) => void;
};

/** A version: when, who and what, and its mark. Pressing it compares the canvas with it. */
export function VersionRow({ group, isCurrent, onChanged, onOpened }: VersionRowProps) {
  const { t } = useTranslation('versions');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const { readOnly, mobile } = useWorkspaceContext();
  const { dayOf, timeOf, changesOf } = useVersionWords();
  const [isNaming, setNaming] = useState(false);
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { version, mark, author, titles } = group;
  const open = async () => {
    if (opening) return;
    setOpening(true);
    onOpened(mark?.name ?? `${dayOf(group)} ${timeOf(group)}`);
    const outcome = await dispatch({ type: 'version.compare', version });
    setOpening(false);
    setProblem(outcome.ok ? null : outcome.error);
  };
  return (
    <li className={styles.item} data-marked={mark?.kind} data-testid="version-row" data-version={version}>
      <button type="button" className={styles.face} onClick={() => void open()}>
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
          {opening && <Spinner size={14} />}
          {isCurrent && <Badge tone="accent">{t('current')}</Badge>}
          <span className={styles.number}>{t('number', { version })}</span>
        </span>
        <span className={styles.what}>{changesOf(group)}</span>
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
      {problem && (
        <p className={styles.refused} role="alert">
          {problemText(problem)}
        </p>
      )}
      {isNaming && <MarkForm version={version} mark={mark} onDone={() => setNaming(false)} onChanged={onChanged} />}
    </li>
  );
}
