import type { ReactNode } from 'react';
import { useRead } from '../../server-data/use-read.ts';
import styles from './budgets.module.css';
import { LimitFields } from './limit-fields.tsx';
import type { useBudgetDraft } from './use-budget-draft.ts';

type Props = ReturnType<typeof useBudgetDraft>['fields'] & {
  title: string;
  hint: string;
  /** Further fields, above those of the limits. */
  children?: ReactNode;
  endsAtLimit?: boolean;
};

/** The limits of something that is made or changed, folded away until they are opened. */
export function LimitDetails({ title, hint, children, isOpen, onOpen, ...fields }: Props) {
  const { value } = useRead('budget.list', isOpen ? {} : null);
  return (
    <details className={styles.details} open={isOpen} onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
      <summary>{title}</summary>
      <p className={styles.muted}>{hint}</p>
      {isOpen && (
        <>
          {children}
          <LimitFields {...fields} currencies={value?.currencies ?? []} />
        </>
      )}
    </details>
  );
}
