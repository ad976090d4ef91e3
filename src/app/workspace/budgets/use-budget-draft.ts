import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { RunBudget } from '../../../../contract/budget.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { type BudgetDraft, type BudgetField, type DraftedBudget, draftOf, readDraft } from './budget-figures.ts';

/** The limits of something, in fields that are folded away at first: of what is made, and of what has none. */
export function useBudgetDraft(budget: DraftedBudget | null = null) {
  const { t } = useTranslation('budgets');
  const [draft, setDraft] = useState<BudgetDraft>(() => draftOf(budget, []));
  const [isOpen, setIsOpen] = useState(budget !== null);
  const { limits, warnAt, wrong } = readDraft(draft);
  /** Returns the budget, or none without a limit. Null for wrong figures: then their fields are shown. */
  const read = (): { budget?: RunBudget } | null => {
    if (Object.keys(wrong).length > 0) {
      flushSync(() => setIsOpen(true));
      return null;
    }
    return Object.keys(limits).length > 0 ? { budget: { ...limits, atLimit: draft.atLimit, warnAt } } : {};
  };
  const onType = (field: keyof BudgetDraft, value: string) => setDraft((now) => ({ ...now, [field]: value }));
  const errorOf = (field: BudgetField) => (wrong[field] ? t(wrong[field]) : undefined);
  return { read, fields: { draft, isOpen, errorOf, onOpen: setIsOpen, onType } };
}
