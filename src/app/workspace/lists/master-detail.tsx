import { Children, type ReactNode } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Plus } from '../../../ui/icons/icons.ts';
import styles from './master-detail.module.css';

type MasterDetailProps = {
  /** The name of the list. */
  label: string;
  rows: readonly ReactNode[];
  /** The words of the button below the list, which opens the form of a new one. */
  add: string;
  onAdd: () => void;
  /** What is chosen. */
  children: ReactNode;
};

/** A list, and at its right what is chosen from it. */
export function MasterDetail({ label, rows, add, onAdd, children }: MasterDetailProps) {
  return (
    <div className={styles.window}>
      <nav className={styles.list} aria-label={label}>
        {rows.length > 0 && (
          <ul>
            {Children.map(rows, (row) => (
              <li>{row}</li>
            ))}
          </ul>
        )}
        <Button size="s" wide icon={<Plus size={15} aria-hidden />} onClick={onAdd}>
          {add}
        </Button>
      </nav>
      <div className={styles.detail}>{children}</div>
    </div>
  );
}

type MasterRowProps = {
  icon: ReactNode;
  name: string;
  about: string;
  isShown: boolean;
  onShow: () => void;
  /** Its badges. */
  children?: ReactNode;
};

/** A row of the list, which shows what it names. */
export function MasterRow({ icon, name, about, isShown, onShow, children }: MasterRowProps) {
  return (
    <button type="button" className={styles.row} aria-current={isShown || undefined} onClick={onShow}>
      {icon}
      <span className={styles.name}>
        <bdi>{name}</bdi>
        <small>{about}</small>
        <span className={styles.badges}>{children}</span>
      </span>
    </button>
  );
}

type DetailProps = {
  name: string;
  /** What is known of it, one a line; empty ones are left out. */
  facts: readonly ReactNode[];
  buttons: ReactNode;
  /** What stands between its facts and its problem. */
  above?: ReactNode;
  problem: ReactNode;
  children: ReactNode;
};

/** What is chosen: its facts with its buttons, its problem, and the rest. */
export function Detail({ name, facts, buttons, above, problem, children }: DetailProps) {
  return (
    <section aria-label={name} className={styles.view}>
      <header className={styles.head}>
        <div className={styles.facts}>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          {Children.map(facts, (fact) => fact && <bdi>{fact}</bdi>)}
        </div>
        <div className={styles.buttons}>{buttons}</div>
      </header>
      {above}
      <div role="status">{problem && <p className={styles.problem}>{problem}</p>}</div>
      {children}
    </section>
  );
}
