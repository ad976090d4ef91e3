import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** What a list says before there is anything in it. */
export function EmptyState({ icon, title, children }: { icon: ReactNode; title?: string; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>{icon}</span>
      {title && <p className={styles.title}>{title}</p>}
      <p className={styles.text}>{children}</p>
    </div>
  );
}
