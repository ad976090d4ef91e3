import type { Budget, BudgetUpdate } from '../../../../contract/budget.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { draftOf } from './budget-figures.ts';
import styles from './budgets.module.css';
import { LimitFields } from './limit-fields.tsx';
import { budgetFields, hasLimits } from './use-budget-draft.ts';

export type BudgetPlace = Pick<BudgetUpdate, 'scope' | 'span' | 'projectId' | 'executionId'>;

type FormProps = { place: BudgetPlace; budget: Budget | null; currencies: readonly string[]; onDone: () => void };

const limited = budgetFields.refine(hasLimits, { path: ['money'], message: 'empty' });

/** The limits of one place: money, tokens, calls and minutes, each of which may be left empty. */
export function BudgetForm({ place, budget, currencies, onDone }: FormProps) {
  const { t } = useTranslation('budgets');
  const form = useZodForm(limited, draftOf(budget, currencies));
  const { call, isBusy, problem } = useMutation({ invalidates: ['budget.list'], onDone });
  return (
    <Form
      {...{ form, isBusy, problem, size: 's', atEnd: true, 'data-testid': 'budget-form' }}
      onSubmit={(limits) => call('budget.put', { body: { ...place, ...limits } })}
      submit={t('words:save')}
      more={
        <>
          {budget && (
            <Button
              {...{ size: 's', variant: 'ghost', disabled: isBusy, className: styles.remove }}
              onClick={() => void call('budget.remove', { params: { id: budget.id } })}
            >
              {t('words:remove')}
            </Button>
          )}
          <Button size="s" disabled={isBusy} onClick={onDone}>
            {t('common:cancel')}
          </Button>
        </>
      }
    >
      <LimitFields {...{ form, currencies }} />
    </Form>
  );
}
