import { useTranslation } from '../../ui/i18n/use-translation.ts';
import styles from './picture.module.css';
import { Placed } from './scene-parts.tsx';

/** SVG does not size a box by its text: a letter of 12.5 px is some 6.9 px wide. */
const letterWidth = 6.9;

/** The words of a link with a rule, centred on a point. `asks`: of the card that waits for a person. */
export function LinkBadge({ x, y, of, asks = false }: { x: number; y: number; of: 'rework' | 'accepted' | 'needsYou'; asks?: boolean }) {
  const { t } = useTranslation('landing');
  const words = t(`picture.${of}`);
  const width = words.length * letterWidth + 26;
  return (
    <Placed x={x} y={y}>
      <rect x={-width / 2} y="-13" width={width} height="26" rx="13" className={asks ? styles.asks : styles.badge} />
      <text y="4.5" fontSize="12.5" fontWeight={asks ? 600 : 500} textAnchor="middle" className={asks ? styles.asksWord : styles.text}>
        {words}
      </text>
    </Placed>
  );
}
