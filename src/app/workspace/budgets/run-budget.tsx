import type { Agent } from '../../../../contract/agent.ts';
import { maxForecastAgents } from '../../../../contract/max-forecast-agents.ts';
import { answeringModels } from '../../../model/agents/answering-model.ts';
import { moneyText } from '../../../model/run/cost-text.ts';
import { isUnderWay } from '../../../model/workspace-state.ts';
import { Facts } from '../../../ui/controls/facts.tsx';
import { durationText } from '../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { BudgetList } from './budget-list.tsx';
import styles from './budgets.module.css';
import { useForecast } from './use-forecast.ts';

/** The budget of the run under way; before a run, the forecast and the budget of each run of the project. */
export function RunBudget() {
  const { t } = useTranslation('budgets');
  const executionId = useWorkspace(({ run: { execution } }) => (execution && isUnderWay(execution) ? execution.id : null));
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  if (projectId === null) return null;
  return (
    <div className={styles.panel} data-testid="run-budget">
      <h2>{t('title')}</h2>
      <p className={styles.muted}>{t('about')}</p>
      {executionId === null ? (
        <>
          <Forecast />
          <BudgetList of={{ scope: 'project', projectId }} only="run" />
        </>
      ) : (
        <BudgetList key={executionId} of={{ scope: 'run', executionId }} />
      )}
    </div>
  );
}

/** What the latest runs of the agents that Start would run have cost. */
function Forecast() {
  const { t, language } = useTranslation('budgets');
  const { t: workspaceText } = useTranslation('workspace');
  const agents = useWorkspace((state) => state.agents);
  const { count, agentIds } = useWorkspace((state) => state.team);
  const value = useForecast();
  if (count > agentIds.length) return <p className={styles.muted}>{t('forecast.tooMany', { count, max: maxForecastAgents })}</p>;
  if (!value) return null;
  const models = <Models agents={agentIds.flatMap((id) => agents.byId[id] ?? [])} />;
  if (value.runs === 0)
    return (
      <>
        {models}
        <p className={styles.muted}>{t('forecast.none')}</p>
      </>
    );
  const range = (min: string, max: string) => (min === max ? min : t('forecast.range', { min, max }));
  const costs = value.money.map(({ currency, min, max }) =>
    range(moneyText({ currency, micros: min }, language), moneyText({ currency, micros: max }, language)),
  );
  const cost = costs.length === 0 ? (value.total.isUnknown ? workspaceText('words:priceUnknown') : '0') : costs.join(' + ');
  return (
    <section className={styles.forecast} aria-label={t('forecast.title')} data-testid="forecast">
      <h3>{t('forecast.title')}</h3>
      <p className={styles.muted}>{t('forecast.of', { count: value.runs })}</p>
      <Facts
        facts={[
          [t('words:cost'), costs.length > 0 && value.total.isUnknown ? workspaceText('cost.andUnknown', { amounts: cost }) : cost],
          [t('words:tokens'), range(value.tokens.min.toLocaleString(language), value.tokens.max.toLocaleString(language))],
          [t('words:time'), range(durationText(value.activeMs.min, language), durationText(value.activeMs.max, language))],
        ]}
      />
      {value.simulated && <p className={styles.muted}>{t('forecast.simulated')}</p>}
      {models}
    </section>
  );
}

/** The models that answer in the next run. D5.11 */
function Models({ agents }: { agents: readonly Agent[] }) {
  const { t } = useTranslation('budgets');
  if (agents.length === 0) return null;
  const named = answeringModels(agents).map(({ model, count }) => {
    const name = model ?? t('words:simulated');
    return count === 1 ? name : t('forecast.model', { model: name, count });
  });
  return (
    <p className={styles.muted} data-testid="forecast-models">
      {t('forecast.models', { models: named.join(', ') })}
    </p>
  );
}
