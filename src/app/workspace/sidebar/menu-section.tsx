import { type ReactNode, useId } from 'react';
import { useObserved } from '../../../state/use-observed.ts';
import { ChevronDown } from '../../../ui/icons/icons.ts';
import { type MenuSectionName, menuSections } from './menu-sections.ts';
import styles from './sidebar.module.css';

type Props = {
  name: MenuSectionName;
  title: string;
  /** Closed until a person opens it. */
  closed?: boolean;
  /** Rows are searched: what is found is seen in a closed section too. */
  searching: boolean;
  /** What the section offers beside its title: it shows under the pointer, in focus, and while it is busy. */
  aside?: ReactNode;
  busy?: boolean;
  children: ReactNode;
};

/** A section of the sidebar that can be collapsed. What a person has opened or closed stays so. */
export function MenuSection({ name, title, closed = false, searching, aside, busy, children }: Props) {
  const isOpen = useObserved(menuSections, () => menuSections.isOpen(name));
  const open = searching || (isOpen ?? !closed);
  const id = useId();
  return (
    <section className={styles.section}>
      <div className={styles.title}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={open}
          aria-controls={id}
          disabled={searching}
          onClick={() => menuSections.choose(name, !open)}
        >
          <ChevronDown size={14} aria-hidden />
          {title}
        </button>
        {open && aside && (
          <span className={styles.aside} data-busy={busy || undefined}>
            {aside}
          </span>
        )}
      </div>
      <ul id={id} hidden={!open}>
        {children}
      </ul>
    </section>
  );
}
