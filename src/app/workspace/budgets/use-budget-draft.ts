import { useState } from 'react';
import { flushSync } from 'react-dom';
import { z } from 'zod';
import type { RunBudget } from '../../../../contract/budget.ts';
import { useZodForm, type ZodForm } from '../../../ui/form/use-zod-form.ts';
import { type BudgetDraft, type DraftedBudget, draftOf, readDraft } from './budget-figures.ts';

/** The fields of a budget, and the budget that they make, which may have no limit. */
export const budgetFields = z.custom<BudgetDraft>().transform((draft, { addIssue }): RunBudget => {
  const { limits, warnAt, wrong } = readDraft(draft);
  for (const [name, message] of Object.entries(wrong)) addIssue({ code: 'custom', path: [name], message });
  return { ...limits, atLimit: draft.atLimit, warnAt };
});
export type BudgetFields = ZodForm<BudgetDraft, RunBudget>;

export function hasLimits({ atLimit: _, warnAt: __, ...limits }: RunBudget): boolean {
  return Object.keys(limits).length > 0;
}

/** The limits of something, in fields that are folded away at first: of what is made, and of what has none. */
export function useBudgetDraft(budget: DraftedBudget | null = null) {
  const form = useZodForm(budgetFields, draftOf(budget, []), 'onChange');
  const [isOpen, setIsOpen] = useState(budget !== null);
  /** Returns the budget, or none without a limit. Null for wrong figures: then their fields are shown. */
  const read = (): { budget?: RunBudget } | null => {
    const { data } = budgetFields.safeParse(form.getValues());
    if (data) return hasLimits(data) ? { budget: data } : {};
    flushSync(() => setIsOpen(true));
    return null;
  };
  return { read, fields: { form, isOpen, onOpen: setIsOpen } };
}
