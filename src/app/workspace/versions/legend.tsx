import type { LucideIcon } from 'lucide-react/types';
import type { DifferenceCounts, DifferenceKind } from '../../../model/versions/comparison.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Minus, MoveRight, PencilLine, Plus } from '../../../ui/icons/icons.ts';
import styles from './versions.module.css';

export const differenceIcons: Record<DifferenceKind, LucideIcon> = { added: Plus, removed: Minus, changed: PencilLine, moved: MoveRight };

const kinds = Object.keys(differenceIcons) as DifferenceKind[];

type LegendProps = { counts: DifferenceCounts; shown: ReadonlySet<DifferenceKind>; onChange: (shown: ReadonlySet<DifferenceKind>) => void };

/** The colours with their signs, words and counts. Each switches its kind on and off. */
export function Legend({ counts, shown, onChange }: LegendProps) {
  const { t } = useTranslation('versions');
  const toggle = (kind: DifferenceKind) => {
    const next = new Set(shown);
    if (!next.delete(kind)) next.add(kind);
    onChange(next);
  };
  return (
    <fieldset className={styles.legend} aria-label={t('legend')}>
      {kinds.map((kind) => {
        const Icon = differenceIcons[kind];
        return (
          <button
            key={kind}
            type="button"
            className={styles.kind}
            data-kind={kind}
            aria-pressed={shown.has(kind)}
            onClick={() => toggle(kind)}
            data-testid={`legend-${kind}`}
          >
            <span className={styles.sign}>
              <Icon size={12} strokeWidth={2.5} aria-hidden />
            </span>
            {t(`kind.${kind}`)} <b>{counts[kind]}</b>
          </button>
        );
      })}
    </fieldset>
  );
}
