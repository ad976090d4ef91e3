import { type ReactNode, useId, useState } from 'react';
import { ChevronDown } from '../../../ui/icons/icons.ts';
import styles from './sidebar.module.css';

/** A section of the sidebar that can be collapsed. */
export function MenuSection({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(true);
  const id = useId();
  return (
    <section className={styles.section}>
      <div className={styles.title}>
        <button type="button" className={styles.fold} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <ChevronDown size={14} aria-hidden />
          {title}
        </button>
        {aside}
      </div>
      <ul id={id} hidden={!open}>
        {children}
      </ul>
    </section>
  );
}
