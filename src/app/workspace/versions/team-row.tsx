import { useState } from 'react';
import type { TeamVersionItem } from '../../../../contract/team-version.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Workflow } from '../../../ui/icons/icons.ts';
import { TeamRestoration } from './team-restoration.tsx';
import { useVersionWords } from './use-version-words.ts';
import styles from './versions.module.css';

/** A named version of the team. Pressing it shows what a restoration changes, and restores it. */
export function TeamRow({ team, onRestored }: { team: TeamVersionItem; onRestored: () => void }) {
  const { t } = useTranslation('versions');
  const { timeOf } = useVersionWords();
  const [isOpen, setOpen] = useState(false);
  const { number, name, note, author, at, runs } = team;
  return (
    <li className={styles.item} data-marked="hand" data-testid="team-row">
      <button type="button" className={styles.face} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <strong className={styles.mark}>
          <Workflow size={14} aria-hidden />
          <span>{t('team.named', { name })}</span>
        </strong>
        {note && <span className={styles.text}>{note}</span>}
        <span className={styles.top}>
          <span className={styles.when}>{timeOf({ since: null, at })}</span>
          <span className={styles.author}>{author?.name}</span>
          <span className={styles.number}>{t('team.number', { number })}</span>
        </span>
        <span className={styles.what}>{t('team.runs', { count: runs })}</span>
      </button>
      {isOpen && <TeamRestoration number={number} onRestored={onRestored} />}
    </li>
  );
}
