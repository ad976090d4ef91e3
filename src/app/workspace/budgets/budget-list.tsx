import { useState } from 'react';
import type { Budget, BudgetSpan } from '../../../../contract/budget.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Loading, LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useRead } from '../../server-data/use-read.ts';
import { BudgetForm, type BudgetPlace } from './budget-form.tsx';
import styles from './budgets.module.css';
import { LimitBars } from './limit-bars.tsx';

/** Whose budgets are shown: those of the account, of a project, or all that apply to a run. */
type BudgetsOf = { scope: 'user' } | { scope: 'project'; projectId: string } | { scope: 'run'; executionId: string };

/** `place`: where the budget is set; null where it is only shown. */
type Row = Pick<Budget, 'scope' | 'span'> & { place: BudgetPlace | null; budget: Budget | null };

const spans: readonly BudgetSpan[] = ['run', 'day', 'month'];

/** The budgets of a place, each with what is used, to set, change and remove. */
export function BudgetList({ of, only }: { of: BudgetsOf; only?: BudgetSpan }) {
  const { t } = useTranslation('budgets');
  const problemText = useProblemText();
  const asked = of.scope === 'run' ? { executionId: of.executionId } : of.scope === 'project' ? { projectId: of.projectId } : {};
  const { value, problem, again } = useRead('budget.list', { query: asked });
  const [edited, edit] = useState<string | null>(null);
  if (!value && problem)
    return <LoadProblem className={styles.problem} text={problemText(problem)} retry={t('words:repeat')} onRetry={again} />;
  if (!value) return <Loading className={styles.muted} text={t('loading')} />;
  return (
    <ul className={styles.list} data-testid="budgets">
      {rowsOf(of, value.budgets, only).map(({ scope, span, place, budget }) => {
        const key = `${scope} ${span}`;
        const name = scope === 'run' ? t('thisRun') : place === null ? `${t(`scope.${scope}`)} · ${t(`span.${span}`)}` : t(`span.${span}`);
        return (
          <li key={key} className={styles.row} data-testid={`budget ${key}`}>
            <div className={styles.head}>
              <h3>{name}</h3>
              {!budget && edited !== key && <span className={styles.muted}>{t('none')}</span>}
              {place !== null && edited !== key && (
                <Button size="s" variant="ghost" aria-label={`${t(budget ? 'common:change' : 'set')}: ${name}`} onClick={() => edit(key)}>
                  {t(budget ? 'common:change' : 'set')}
                </Button>
              )}
            </div>
            {place !== null && edited === key ? (
              <BudgetForm {...{ place, budget, currencies: value.currencies }} onDone={() => edit(null)} />
            ) : (
              budget && <LimitBars budget={budget} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function rowsOf(of: BudgetsOf, budgets: readonly Budget[], only: BudgetSpan | undefined): Row[] {
  const find = (scope: Budget['scope'], span: BudgetSpan) => budgets.find((one) => one.scope === scope && one.span === span) ?? null;
  if (of.scope === 'run')
    return [
      {
        ...{ scope: 'run', span: 'run', budget: find('run', 'run') },
        place: { scope: 'run', span: 'run', executionId: of.executionId },
      },
      ...budgets.flatMap((budget) => (budget.scope === 'run' ? [] : [{ scope: budget.scope, span: budget.span, place: null, budget }])),
    ];
  const projectId = of.scope === 'project' ? { projectId: of.projectId } : {};
  return spans
    .filter((span) => only === undefined || span === only)
    .map((span) => ({ scope: of.scope, span, place: { scope: of.scope, span, ...projectId }, budget: find(of.scope, span) }));
}
