import type { ReactNode } from 'react';
import type { Notice } from '../../../model/workspace-state.ts';
import styles from './strips.module.css';

type StripProps = {
  tone?: Notice['level'];
  icon: ReactNode;
  role: 'status' | 'alert';
  /** Shows itself only after a moment: what it says is mostly over by then. */
  late?: boolean;
  children: ReactNode;
};

/** One line that floats over the canvas and says something that the user must know now. */
export function Strip({ tone = 'info', icon, role, late = false, children }: StripProps) {
  return (
    <div className={styles.strip} data-tone={tone} data-late={late} role={role} data-testid="strip">
      <span className={styles.icon}>{icon}</span>
      {children}
    </div>
  );
}
