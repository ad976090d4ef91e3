import type { CardState } from '../../../model/card-view.ts';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { shortcutLabel } from '../frame/shortcut-label.ts';
import { Marked } from '../history/marked.tsx';
import { type Outcome, OutcomeGlyph } from '../marks/outcome-glyph.tsx';
import styles from './palette.module.css';
import type { PaletteItem } from './palette-items.ts';

const glyphs: Partial<Record<CardState, Outcome>> = {
  active: 'processing',
  paused: 'paused',
  done: 'completed',
  failed: 'failed',
  stopped: 'cancelled',
  skipped: 'cancelled',
};

type Props = {
  id: string;
  at: number;
  item: PaletteItem;
  query: string;
  chosen: boolean;
  onPoint: () => void;
  onRun: () => void;
};

/** A line of the palette. The focus stays in the search box, which refers to the chosen line. */
export function PaletteRow({ id, at, item, query, chosen, onPoint, onRun }: Props) {
  const { look, note, keys, state } = item;
  const { t } = useTranslation('canvas');
  const glyph = state && glyphs[state];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are read by the search box
    // biome-ignore lint/a11y/useFocusableInteractive: the search box keeps the focus and points here
    <div id={id} className={styles.row} role="option" aria-selected={chosen} data-at={at} onPointerMove={onPoint} onClick={onRun}>
      {look.kind === 'role' ? (
        <RoleTile name={look.icon} hue={look.hue} size={28} />
      ) : (
        <span className={styles.tile}>
          <look.icon size={16} strokeWidth={1.75} aria-hidden />
        </span>
      )}
      <span className={styles.title}>
        <Marked className={styles.mark} text={item.title} query={query} />
      </span>
      {note !== '' && <span className={styles.note}>{note}</span>}
      <span className={styles.end}>
        {state && (
          <span className={styles.state} data-state={state}>
            {glyph && <OutcomeGlyph outcome={glyph} size={14} />}
            {t(`outline.state.${state}`)}
          </span>
        )}
        {keys !== null && <Kbd keys={keys} />}
        {chosen && keys === null && <Kbd keys={shortcutLabel('Enter')} />}
      </span>
    </div>
  );
}
