import styles from './picture.module.css';

export type PictureState = 'done' | 'active' | 'waiting';

/** The shape of a state, 16 px square: a filled disc with a check, an arc with a core, a dashed ring with hands. */
export function StateGlyph({ state, size = 16 }: { state: PictureState; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true">
      {state === 'done' && (
        <>
          <circle cx="8" cy="8" r="7.2" fill="var(--success)" />
          <path
            d="m4.9 8.2 2.2 2.1 4-4.4"
            stroke="light-dark(#fff, #0b1220)"
            strokeWidth="1.7"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      )}
      {state === 'active' && (
        <>
          <circle cx="8" cy="8" r="6.2" stroke="var(--hue, var(--accent))" strokeWidth="1.8" opacity="0.3" />
          <path
            className={styles.turning}
            d="M8 1.8a6.2 6.2 0 0 1 6.2 6.2A6.2 6.2 0 0 1 8 14.2"
            stroke="var(--hue, var(--accent))"
            strokeWidth="1.8"
            strokeLinecap="round"
          />
          <circle cx="8" cy="8" r="2.4" fill="var(--hue, var(--accent))" />
        </>
      )}
      {state === 'waiting' && (
        <>
          <circle cx="8" cy="8" r="6.4" stroke="var(--muted)" strokeWidth="1.6" strokeDasharray="2.6 1.9" />
          <path d="M8 5v3.2l2 1.2" stroke="var(--muted)" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
        </>
      )}
    </svg>
  );
}
