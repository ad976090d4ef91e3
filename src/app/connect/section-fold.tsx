import { type ReactNode, useId } from 'react';
import { ChevronDown } from '../../ui/icons/icons.ts';
import styles from './section-fold.module.css';

type Props = { title: string; about: string; isOpen: boolean; onToggle: () => void; children: ReactNode };

/** A section with its name and what it is for; its content is there while it is open. */
export function SectionFold({ title, about, isOpen, onToggle, children }: Props) {
  const id = useId();
  return (
    <section className={styles.fold}>
      <h3>
        <button
          type="button"
          className={styles.opener}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-describedby={`${id}-about`}
          onClick={onToggle}
        >
          <ChevronDown size={16} aria-hidden />
          {title}
        </button>
      </h3>
      {/* The content says more of the same. */}
      <p id={`${id}-about`} className={styles.about} hidden={isOpen}>
        {about}
      </p>
      <div id={id} className={styles.content}>
        {isOpen && children}
      </div>
    </section>
  );
}
