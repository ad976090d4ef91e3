import type { Agent } from '../../../contract/agent.ts';

/** Returns the model that answers for an agent in its next run; null for the simulated one. D5.11 */
export function answeringModel({
  apiConfiguration: { providerType, willSimulate, model },
}: Pick<Agent, 'apiConfiguration'>): string | null {
  return providerType === 'simulated' || willSimulate ? null : model;
}

/** Whether the provider serves the model of an agent no more; `now` in ms since the epoch. No model of a simulated agent is asked. M3.26 */
export function hasEnded(agent: Pick<Agent, 'apiConfiguration'>, now: number): boolean {
  const { ended } = agent.apiConfiguration;
  return ended !== undefined && answeringModel(agent) !== null && Date.parse(ended.on.slice(0, 10)) <= now;
}

/** The models that answer for several agents, each with the number of its agents; the most used one first. */
export function answeringModels(agents: readonly Pick<Agent, 'apiConfiguration'>[]): { model: string | null; count: number }[] {
  const counts = new Map<string | null, number>();
  for (const agent of agents) counts.set(answeringModel(agent), (counts.get(answeringModel(agent)) ?? 0) + 1);
  return [...counts].map(([model, count]) => ({ model, count })).sort((a, b) => b.count - a.count);
}
