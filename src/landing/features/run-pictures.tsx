import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CornerUpLeft, Play, RotateCcw } from '../../ui/icons/icons.ts';
import type { RoleHue } from '../../ui/icons/role-icon.tsx';
import { RoleTile } from '../../ui/icons/role-icon.tsx';
import { team } from '../picture/team.ts';
import styles from './run-pictures.module.css';

/** The steps of a run on the bar of its replay: widths in percent. */
const played: readonly { hue: RoleHue; width: number }[] = [
  { hue: 'sky', width: 16 },
  { hue: 'cyan', width: 13 },
  { hue: 'emerald', width: 18 },
  { hue: 'rose', width: 9 },
  { hue: 'sky', width: 12 },
  { hue: 'emerald', width: 15 },
  { hue: 'rose', width: 8 },
  { hue: 'slate', width: 9 },
];

/** The bar of a replay, with its marks. */
export function ReplayPicture() {
  const { t } = useTranslation('offer');
  return (
    <div className={styles.replay} aria-hidden="true">
      <div className={styles.event}>{t('features.replay.event')}</div>
      <div className={styles.track}>
        {played.map(({ hue, width }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps are a fixed list
          <span key={at} data-hue={hue} style={{ flexGrow: width }} />
        ))}
        <i className={styles.head} />
      </div>
      <div className={styles.controls}>
        <span className={styles.play}>
          <Play size={15} fill="currentColor" />
        </span>
        <span>1:52 / 2:41</span>
        <span className={styles.speed}>8×</span>
      </div>
    </div>
  );
}

const again = [
  { member: 'lead', kept: true },
  { member: 'frontend', kept: true },
  { member: 'backend', kept: false },
  { member: 'qa', kept: false },
] as const;

/** A run that begins again in its middle: what is kept, and what runs again. */
export function RerunPicture() {
  const { t } = useTranslation('offer');
  const { t: landing } = useTranslation('landing');
  return (
    <ul className={styles.again} aria-hidden="true">
      {again.map(({ member, kept }) => (
        <li key={member} data-kept={kept || undefined}>
          <RoleTile name={team[member].icon} hue={team[member].hue} />
          {landing(`picture.${member}.title`)}
          <span className={styles.fate}>
            {kept ? <CornerUpLeft size={14} /> : <RotateCcw size={14} />}
            {t(kept ? 'features.rerun.kept' : 'features.rerun.again')}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A budget at its limit, and the question of the run. */
export function BudgetPicture() {
  const { t } = useTranslation('offer');
  const answers = ['more', 'limit', 'end'] as const;
  return (
    <div className={styles.budget} aria-hidden="true">
      <div className={styles.spent}>
        <strong>{t('features.budget.spent')}</strong>
        <span>{t('features.budget.of')}</span>
      </div>
      <div className={styles.bar}>
        <span />
      </div>
      <p className={styles.stopped}>{t('features.budget.asks')}</p>
      <ul className={styles.answers}>
        {answers.map((answer) => (
          <li key={answer}>{t(`features.budget.answers.${answer}`)}</li>
        ))}
      </ul>
    </div>
  );
}
