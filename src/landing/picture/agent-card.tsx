import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { type RoleHue, RoleIcon } from '../../ui/icons/role-icon.tsx';
import type { RoleIconName } from '../../ui/icons/role-icon-name.ts';
import styles from './picture.module.css';
import { Lines, Placed, Port } from './scene-parts.tsx';
import { type PictureState, StateGlyph } from './state-glyph.tsx';

export type AgentCardProps = {
  x: number;
  y: number;
  hue: RoleHue;
  icon: RoleIconName;
  title: string;
  model: string;
  /** At most two lines, broken by hand: SVG does not wrap. */
  line: string;
  state: PictureState;
  figure: string;
  passed: { in: boolean; out: boolean };
};

/** A card of the canvas, 280 x 156. */
export function AgentCard({ x, y, hue, icon, title, model, line, state, figure, passed }: AgentCardProps) {
  const { t } = useTranslation('landing');
  const border = { done: 'color-mix(in srgb, var(--success) 55%, var(--line))', active: 'var(--hue)', waiting: 'var(--line)' }[state];
  const tone = { done: 'var(--success)', active: 'var(--hue-word)', waiting: 'var(--text)' }[state];
  return (
    <Placed x={x} y={y}>
      <g data-hue={hue}>
        <CardBody width={280} height={156} border={border} thick={state === 'active'} />
        <Tile icon={icon} />
        <text
          x="64"
          y="34"
          fontSize="16"
          fontWeight="600"
          letterSpacing="-0.16"
          className={state === 'waiting' ? styles.muted : styles.text}
        >
          {title}
        </text>
        <text x="64" y="51" fontSize="12" className={styles.muted}>
          {model}
        </text>
        <Lines x={16} y={80} lead={18} size={13} className={styles.muted}>
          {line}
        </Lines>
        <path d="M16 116.5h248" className={styles.line} />
        <Placed x={16} y={128}>
          <StateGlyph state={state} />
        </Placed>
        <text x="39" y="140.5" fontSize="12.5" fontWeight="500" fill={tone}>
          {t(`picture.state.${state}`)}
        </text>
        <text x="264" y="140.5" fontSize="12.5" textAnchor="end" className={styles.muted}>
          {figure}
        </text>
        <Port x={0} y={78} passed={passed.in} />
        <Port x={280} y={78} passed={passed.out} />
      </g>
    </Placed>
  );
}

/** The animated rings of the card that waits for a person, in a layer over it. */
export function AskingPulse({ x, y }: Pick<AgentCardProps, 'x' | 'y'>) {
  return (
    <Placed x={x} y={y}>
      <g className={styles.pulse}>
        <rect x="-8.5" y="-8.5" width="297" height="173" rx="18" strokeWidth="7" strokeOpacity="0.1" />
        <rect x="-3" y="-3" width="286" height="162" rx="13" strokeWidth="5" strokeOpacity="0.24" />
      </g>
    </Placed>
  );
}

/** The body of a card with the band of its role along the top. */
export function CardBody({ width, height, border, thick = false }: { width: number; height: number; border: string; thick?: boolean }) {
  return (
    <>
      <rect width={width} height={height} rx="10" className={styles.card} />
      <rect x="0.5" y="0.5" width={width - 1} height={height - 1} rx="9.5" fill="none" stroke={border} strokeWidth={thick ? 2 : 1} />
      <path d={`M1.6 4A10 10 0 0 1 10 0H${width - 10}A10 10 0 0 1 ${width - 1.6} 4Z`} fill="var(--hue)" />
    </>
  );
}

/** The role's icon, 19 px, on its tile of 36. */
export function Tile({ icon }: { icon: RoleIconName }) {
  return (
    <>
      <rect x="16" y="18" width="36" height="36" rx="8" fill="var(--hue-tile)" />
      <Placed x={24.5} y={26.5}>
        <g color="var(--hue)">
          <RoleIcon name={icon} size={19} />
        </g>
      </Placed>
    </>
  );
}
