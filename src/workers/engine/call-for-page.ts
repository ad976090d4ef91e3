import type { CallInput, ResponseTo, Sending } from '../../../contract/call.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { loadAgents } from './agents/agent-list.ts';
import type { Answer } from './backends/port.ts';
import { callOnce } from './backends/retry-lost-call.ts';
import type { EngineContext } from './engine-context.ts';

/** After these calls the connections of agents, and whether they are simulated, may be others. M3.22 */
const agentChanges: ReadonlySet<RouteName> = new Set(['modelConnection.update', 'modelConnection.remove', 'modelConnection.use']);

/** Makes a call of the page. Lists of the engine that it changes are read again; a new connection is made once, also if its answer was lost. */
export async function callForPage<R extends RouteName>(context: EngineContext, route: R, sent: Sending<R>): Promise<Answer<ResponseTo<R>>> {
  const input = sent[0] as CallInput<R>;
  const answer = await (route === 'modelConnection.create' ? callOnce(context, route, input) : context.backend.call(route, ...sent));
  if (answer.ok && agentChanges.has(route) && !isPreview(sent[0])) await loadAgents(context, { quietly: true });
  return answer;
}

function isPreview(input: { body?: unknown } | undefined): boolean {
  return (input?.body as { isPreview?: boolean } | undefined)?.isPreview === true;
}
