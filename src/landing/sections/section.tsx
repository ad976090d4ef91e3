import type { ReactNode } from 'react';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import styles from './section.module.css';

type SectionProps = {
  /** The anchor of the section. */
  id: string;
  kicker: string;
  title: string;
  lead?: string;
  /** Sections alternate between the page and a surface with a hairline. */
  on?: 'page' | 'surface';
  /** The content's place: under the heading, or beside it if there is space. */
  layout?: 'below' | 'beside';
  /** Content under the lead. */
  under?: ReactNode;
  children: ReactNode;
};

/** One idea of the page: a heading block and its content. */
export function Section({ id, kicker, title, lead, on = 'page', layout = 'below', under, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`${styles.section} ${styles[on]}`}
      data-waiting={!useIsHydrated() || undefined}
    >
      <div className={`${styles.column} ${styles[layout]}`}>
        <div className={styles.heading}>
          <p className={styles.kicker}>{kicker}</p>
          <h2 id={`${id}-title`} className={styles.title}>
            {title}
          </h2>
          {lead && <p className={styles.lead}>{lead}</p>}
          {under}
        </div>
        <div className={styles.content}>{children}</div>
      </div>
    </section>
  );
}
