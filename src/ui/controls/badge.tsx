import type { ReactNode } from 'react';
import type { Hue } from '../../model/agents/roles.ts';
import styles from './badge.module.css';

export type BadgeProps = {
  tone?: 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'hue';
  /** The colour of tone `hue`. */
  hue?: Hue;
  icon?: ReactNode;
  children: ReactNode;
  title?: string;
};

/** A short label for the state of the element beside it. */
export function Badge({ tone = 'neutral', hue, icon, children, title }: BadgeProps) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`} data-hue={hue} title={title}>
      {icon}
      {children}
    </span>
  );
}
