import { type SyntheticEvent, useId } from 'react';
import { useImmer } from 'use-immer';
import type { Budget, BudgetUpdate } from '../../../../contract/budget.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { type BudgetDraft, type BudgetField, draftOf, readDraft } from './budget-figures.ts';
import styles from './budgets.module.css';
import { LimitFields } from './limit-fields.tsx';

export type BudgetPlace = Pick<BudgetUpdate, 'scope' | 'span' | 'projectId' | 'executionId'>;

type FormProps = { place: BudgetPlace; budget: Budget | null; currencies: readonly string[]; onDone: () => void };
type State = { draft: BudgetDraft; isChecked: boolean };

/** The limits of one place: money, tokens, calls and minutes, each of which may be left empty. */
export function BudgetForm({ place, budget, currencies, onDone }: FormProps) {
  const { t } = useTranslation('budgets');
  const formId = useId();
  const [{ draft, isChecked }, update] = useImmer<State>({ draft: draftOf(budget, currencies), isChecked: false });
  const { call, isBusy, problem, clear } = useMutation({ invalidates: ['budget.list'], onDone });
  const { limits, warnAt, wrong } = readDraft(draft);
  const isEmpty = Object.keys(limits).length === 0;
  const type = (field: keyof BudgetDraft, value: string) => {
    clear();
    update((state) => {
      Object.assign(state.draft, { [field]: value });
    });
  };
  const save = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    update((state) => {
      state.isChecked = true;
    });
    const first = (Object.keys(wrong) as BudgetField[])[0] ?? (isEmpty ? 'money' : undefined);
    if (first) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      return;
    }
    void call('budget.put', { body: { ...place, ...limits, atLimit: draft.atLimit, warnAt } });
  };
  const errorOf = (name: BudgetField) => {
    if (!isChecked) return undefined;
    return wrong[name] ? t(wrong[name]) : isEmpty && name === 'money' ? t('empty') : undefined;
  };

  return (
    <form id={formId} className={styles.form} onSubmit={save} noValidate data-testid="budget-form">
      <LimitFields {...{ draft, currencies, errorOf }} onType={type} />
      <ProblemNote problem={problem} className={styles.problem} />
      <div className={styles.buttons}>
        {budget && (
          <Button size="s" variant="ghost" disabled={isBusy} onClick={() => void call('budget.remove', { params: { id: budget.id } })}>
            {t('words:remove')}
          </Button>
        )}
        <Button size="s" disabled={isBusy} onClick={onDone}>
          {t('common:cancel')}
        </Button>
        <Button size="s" type="submit" variant="primary" busy={isBusy}>
          {t('words:save')}
        </Button>
      </div>
    </form>
  );
}
