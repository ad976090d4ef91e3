import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { GitPullRequest } from '../../ui/icons/icons.ts';
import { type RoleHue, RoleTile } from '../../ui/icons/role-icon.tsx';
import type { RoleIconName } from '../../ui/icons/role-icon-name.ts';
import { type PictureState, StateGlyph } from '../picture/state-glyph.tsx';
import styles from './step-pictures.module.css';

const team: readonly { key: 'product' | 'lead' | 'developer'; icon: RoleIconName; hue: RoleHue; count: number }[] = [
  { key: 'product', icon: 'product', hue: 'violet', count: 1 },
  { key: 'lead', icon: 'architect', hue: 'sky', count: 1 },
  { key: 'developer', icon: 'developer', hue: 'blue', count: 2 },
];

const tasks: readonly { key: 'contract' | 'queue' | 'window' | 'tests'; state: PictureState }[] = [
  { key: 'contract', state: 'done' },
  { key: 'queue', state: 'done' },
  { key: 'window', state: 'active' },
  { key: 'tests', state: 'waiting' },
];

const diff: readonly { sign: '-' | '+' | ' '; code: string }[] = [
  { sign: '-', code: 'rows.map(toCsv)' },
  { sign: '+', code: 'stream(rows)' },
  { sign: '+', code: '  .pipe(csv())' },
  { sign: ' ', code: '  .pipe(gzip())' },
  { sign: ' ', code: '  .to(storage)' },
];

/** Roles taken from the menu. */
export function AgentsPicture() {
  const { t } = useTranslation('landing');
  return (
    <div className={styles.team}>
      {team.map(({ key, icon, hue, count }) => (
        <div key={key} className={styles.member}>
          <RoleTile name={icon} hue={hue} />
          <span>{t(`picture.${key}.title`)}</span>
          <span className={styles.count}>×{count}</span>
        </div>
      ))}
    </div>
  );
}

/** A ticket turned into tasks. */
export function PlanPicture() {
  const { t } = useTranslation('landing');
  return (
    <div className={styles.tasks}>
      {tasks.map(({ key, state }) => (
        <div key={key} className={styles.task} data-state={state}>
          <StateGlyph state={state} />
          {t(`howItWorks.plan.tasks.${key}`)}
        </div>
      ))}
    </div>
  );
}

/** Code in progress. */
export function ImplementPicture() {
  return (
    <div className={styles.diff}>
      {diff.map(({ sign, code }) => (
        <div key={code} className={styles.row} data-sign={sign}>
          {`${sign} ${code}`}
        </div>
      ))}
    </div>
  );
}

/** The delivered files. */
export function ResultPicture() {
  const { t } = useTranslation('landing');
  return (
    <div className={styles.result}>
      <div className={styles.request}>
        <GitPullRequest size={18} className={styles.branch} />
        <strong>#128</strong>
        <span className={styles.figures}>
          <span className={styles.added}>+412</span> <span className={styles.removed}>-38</span>
        </span>
      </div>
      <div>{t('howItWorks.result.request')}</div>
      <div className={styles.check}>
        <StateGlyph state="done" size={14} />
        {t('howItWorks.result.tests')}
      </div>
      <div className={styles.check}>
        <StateGlyph state="done" size={14} />
        {t('howItWorks.result.review')}
      </div>
    </div>
  );
}
