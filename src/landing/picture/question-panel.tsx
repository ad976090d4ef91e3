import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Tile } from './agent-card.tsx';
import styles from './picture.module.css';
import { Lines, Placed } from './scene-parts.tsx';
import { StateGlyph } from './state-glyph.tsx';

/** What a run asks a person, with the result before it, 580 x 222. */
export function QuestionPanel({ x, y }: { x: number; y: number }) {
  const { t } = useTranslation('landing');
  const [approve, change] = [t('picture.question.approve'), t('common:change')];
  const approveWidth = approve.length * 8.4 + 40;
  return (
    <Placed x={x} y={y}>
      <rect width="580" height="222" rx="10" className={styles.floating} />
      <g data-hue="slate">
        <Tile icon="user" />
      </g>
      <text x="66" y="34" fontSize="16" fontWeight="600" className={styles.text}>
        {t('picture.question.title')}
      </text>
      <text x="66" y="53" fontSize="13" className={styles.muted}>
        {t('picture.question.about')}
      </text>
      <path d="M0 72.5h580" className={styles.line} />
      <Placed x={20} y={90}>
        <StateGlyph state="done" />
      </Placed>
      <text x="46" y="103" fontSize="15" className={styles.muted}>
        {t('picture.question.before')}
      </text>
      <Lines x={20} y={138} lead={22} size={16} className={styles.text}>
        {t('picture.question.text')}
      </Lines>
      <rect x="20" y="164" width={approveWidth} height="38" rx="8" fill="var(--accent)" />
      <text x={20 + approveWidth / 2} y="188" fontSize="15" fontWeight="600" textAnchor="middle" fill="var(--on-accent)">
        {approve}
      </text>
      <rect
        x={32.5 + approveWidth}
        y="164.5"
        width={change.length * 8.4 + 40}
        height="37"
        rx="8"
        className={styles.raised}
        stroke="var(--line)"
      />
      <text
        x={32.5 + approveWidth + (change.length * 8.4 + 40) / 2}
        y="188"
        fontSize="15"
        fontWeight="600"
        textAnchor="middle"
        className={styles.text}
      >
        {change}
      </text>
    </Placed>
  );
}
