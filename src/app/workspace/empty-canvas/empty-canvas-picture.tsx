import styles from './empty-canvas.module.css';

const cards = [
  { x: 1, y: 32, hue: 'lime' },
  { x: 170, y: 32, hue: 'violet' },
  { x: 339, y: 32, hue: 'sky' },
  { x: 508, y: 2, hue: 'teal' },
  { x: 508, y: 78, hue: 'emerald' },
] as const;

/** A drawing of a team: one agent after another, then two side by side. */
export function EmptyCanvasPicture() {
  return (
    <svg className={styles.picture} viewBox="0 0 628 136" aria-hidden>
      <g fill="none" stroke="var(--link)" strokeWidth="1.4" strokeDasharray="4 4">
        <path d="M119 60h51M288 60h51M457 60h12a13 13 0 0 0 13-13V43a13 13 0 0 1 13-13h13M457 60h12a13 13 0 0 1 13 13v20a13 13 0 0 0 13 13h13" />
      </g>
      {cards.map(({ x, y, hue }) => (
        <g key={`${x}-${y}`} data-hue={hue}>
          <rect
            x={x}
            y={y}
            width="118"
            height="56"
            rx="8"
            fill="var(--raised)"
            stroke="var(--link)"
            strokeWidth="1.2"
            strokeDasharray="4 4"
          />
          <rect x={x + 12} y={y + 16} width="18" height="18" rx="5" fill="var(--hue)" opacity="0.32" />
          <rect x={x + 38} y={y + 16} width="52" height="6" rx="3" fill="var(--link)" opacity="0.7" />
          <rect x={x + 38} y={y + 27} width="34" height="5" rx="2.5" fill="var(--link)" opacity="0.45" />
        </g>
      ))}
    </svg>
  );
}
