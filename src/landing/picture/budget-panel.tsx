import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './picture.module.css';
import { Lines, Placed } from './scene-parts.tsx';

/** The share of the limit that is spent. */
const spent = 0.21;

/** The budget of the run, 330 x 222. */
export function BudgetPanel({ x, y }: { x: number; y: number }) {
  const { t } = useTranslation('landing');
  return (
    <Placed x={x} y={y}>
      <rect width="330" height="222" rx="10" className={styles.floating} />
      <text x="20" y="36" fontSize="16" fontWeight="600" className={styles.text}>
        {t('picture.budget.title')}
      </text>
      <text x="20" y="86" fontSize="28" fontWeight="600" letterSpacing="-0.4" className={styles.text}>
        {t('picture.budget.spent')}
        <tspan dx="8" fontSize="15" fontWeight="400" letterSpacing="0" className={styles.muted}>
          {t('picture.budget.limit')}
        </tspan>
      </text>
      <rect x="20" y="106" width="290" height="8" rx="4" fill="var(--line)" />
      <rect x="20" y="106" width={290 * spent} height="8" rx="4" fill="var(--accent)" />
      <Lines x={20} y={146} lead={22} size={15} className={styles.muted}>
        {t('picture.budget.text')}
      </Lines>
    </Placed>
  );
}
