import type { ReactNode } from 'react';
import styles from './picture.module.css';

/** The dots of the canvas behind a scene of this size. */
export function Grid({ id, width, height }: { id: string; width: number; height: number }) {
  return (
    <>
      <defs>
        <pattern id={id} width="20" height="20" patternUnits="userSpaceOnUse">
          <circle cx="10" cy="10" r="1.1" fill="var(--grid-dot)" />
        </pattern>
      </defs>
      <rect width={width} height={height} fill={`url(#${id})`} />
    </>
  );
}

/** A link that work has passed. */
export function TakenLink({ d }: { d: string }) {
  return <path className={styles.link} d={d} />;
}

/** A link of a review loop that work has gone back by. */
export function BackLink({ d }: { d: string }) {
  return <path className={`${styles.link} ${styles.back}`} d={d} />;
}

/** A link that work has not reached. */
export function PendingLink({ d }: { d: string }) {
  return <path className={styles.pending} d={d} />;
}

/** A link with moving work: filled behind the dot, pale before it. `seconds` is the duration of one trip and its pause. */
export function PassingLink({ d, seconds }: { d: string; seconds: number }) {
  return (
    <g style={{ '--trip': `${seconds}s` }}>
      <path className={`${styles.link} ${styles.ahead}`} d={d} />
      <path className={`${styles.link} ${styles.taken}`} d={d} pathLength={1} />
      <g className={styles.dot} style={{ offsetPath: `path("${d}")` }}>
        <circle className={styles.halo} r="11" />
        <circle className={styles.core} r="6.5" />
      </g>
    </g>
  );
}

export function Port({ x, y, passed }: { x: number; y: number; passed: boolean }) {
  return (
    <circle
      cx={x}
      cy={y}
      r={passed ? 7 : 5}
      fill={passed ? 'var(--accent)' : 'var(--canvas)'}
      stroke={passed ? 'var(--canvas)' : 'var(--control-border)'}
      strokeWidth="2"
    />
  );
}

/** Text of one or more lines, `lead` px apart. */
export function Lines({
  x,
  y,
  lead,
  className,
  size,
  children,
}: {
  x: number;
  y: number;
  lead: number;
  className?: string | undefined;
  size: number;
  children: string;
}) {
  return (
    <text x={x} y={y} fontSize={size} className={className}>
      {children.split('\n').map((line, row) => (
        <tspan key={line} x={x} dy={row === 0 ? 0 : lead}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** Draws its children at a point. */
export function Placed({ x, y, children }: { x: number; y: number; children: ReactNode }) {
  return <g transform={`translate(${x} ${y})`}>{children}</g>;
}
