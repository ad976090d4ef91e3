import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

type EmptyStateProps = { icon: ReactNode; title?: string; action?: ReactNode; children: ReactNode };

/** The content of an empty list. */
export function EmptyState({ icon, title, action, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>{icon}</span>
      {title && <p className={styles.title}>{title}</p>}
      <p className={styles.text}>{children}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
