import { type SyntheticEvent, useId } from 'react';
import { useImmer } from 'use-immer';
import type { Budget, BudgetUpdate } from '../../../../contract/budget.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { type BudgetDraft, type BudgetField, draftOf, readDraft } from './budget-figures.ts';
import styles from './budgets.module.css';
import { invalidateBudgets } from './budgets-version.ts';
import { LimitFields } from './limit-fields.tsx';

export type BudgetPlace = Pick<BudgetUpdate, 'scope' | 'span' | 'projectId' | 'executionId'>;

type FormProps = { place: BudgetPlace; budget: Budget | null; currencies: readonly string[]; onDone: () => void };
type State = { draft: BudgetDraft; isBusy: boolean; isChecked: boolean; problem: Problem | null };

/** The limits of one place: money, tokens, calls and minutes, each of which may be left empty. */
export function BudgetForm({ place, budget, currencies, onDone }: FormProps) {
  const { t } = useTranslation('budgets');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const formId = useId();
  const [{ draft, isBusy, isChecked, problem }, update] = useImmer<State>({
    draft: draftOf(budget, currencies),
    isBusy: false,
    isChecked: false,
    problem: null,
  });
  const { limits, warnAt, wrong } = readDraft(draft);
  const isEmpty = Object.keys(limits).length === 0;
  const type = (field: keyof BudgetDraft, value: string) =>
    update((state) => {
      Object.assign(state.draft, { [field]: value });
      state.problem = null;
    });

  const send = async (command: Parameters<typeof dispatch>[0]) => {
    update((state) => {
      state.isBusy = true;
    });
    const outcome = await dispatch(command);
    update((state) => {
      Object.assign(state, { isBusy: false, problem: outcome.ok ? null : outcome.error });
    });
    if (!outcome.ok) return;
    invalidateBudgets();
    onDone();
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
    void send({ type: 'budget.set', budget: { ...place, ...limits, atLimit: draft.atLimit, warnAt } });
  };
  const errorOf = (name: BudgetField) => {
    if (!isChecked) return undefined;
    return wrong[name] ? t(wrong[name]) : isEmpty && name === 'money' ? t('empty') : undefined;
  };

  return (
    <form id={formId} className={styles.form} onSubmit={save} noValidate data-testid="budget-form">
      <LimitFields {...{ draft, currencies, errorOf }} onType={type} />
      {problem && (
        <p role="alert" className={styles.problem}>
          {problemText(problem)}
        </p>
      )}
      <div className={styles.buttons}>
        {budget && (
          <Button size="s" variant="ghost" disabled={isBusy} onClick={() => void send({ type: 'budget.remove', id: budget.id })}>
            {t('remove')}
          </Button>
        )}
        <Button size="s" disabled={isBusy} onClick={onDone}>
          {t('cancel')}
        </Button>
        <Button size="s" type="submit" variant="primary" busy={isBusy}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
