import { ObservableValue } from '../../../state/observable.ts';

/** Counts the changes of budgets on this page: what shows them reads them again. */
export const budgetChanges = new ObservableValue(0);

export function budgetsChanged(): void {
  budgetChanges.set(budgetChanges.get() + 1);
}
