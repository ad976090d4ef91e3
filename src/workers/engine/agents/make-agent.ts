import type { CommandResult } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { refusal } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import { makeAgents, showAgents } from './many-agents.ts';

/** Makes an agent of the user's. A request whose answer was lost makes no second one. R37 */
export async function createAgent(
  context: EngineContext,
  words: { title: string; role: string; description: string },
): Promise<Outcome<CommandResult>> {
  const made = await callOnce(context, 'agent.create', { body: { ...words, name: words.title.slice(0, 120) } });
  if (!made.ok) return refusal(made.fault);
  showAgents(context.store, [made.value]);
  return { ok: true, value: { agentId: made.value.id } };
}

/** Makes another agent with the words, prompt and model settings of an agent, without its key, and says so. R37 */
export async function duplicateAgent(context: EngineContext, agentId: string): Promise<Outcome<CommandResult>> {
  const { byId, order } = context.store.state.agents;
  const original = byId[agentId];
  if (!original) return failed('agent.notFound', { id: agentId, available: order.length });
  const { made, problem } = await makeAgents(context, [{ copyOf: agentId }]);
  const [copy] = made;
  if (!copy) return { ok: false, error: problem ?? { code: 'agent.notFound', params: { id: agentId, available: order.length } } };
  const code = original.apiConfiguration.hasKey ? 'agent.copiedWithoutKey' : 'agent.copied';
  context.notices.show({ code, params: { title: copy.agent.title } }, 'info');
  return { ok: true, value: { agentId: copy.agent.id } };
}
