import { ObservableValue } from '../../../state/observable.ts';

/** Grows with each change of a budget on this page. Components that show budgets read them again when it grows. */
export const budgetsVersion = new ObservableValue(0);

export function invalidateBudgets(): void {
  budgetsVersion.set(budgetsVersion.get() + 1);
}
