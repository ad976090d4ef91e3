import type { Command } from '../../../model/commands.ts';
import { done, failed, type Outcome, outcomeOf } from '../../../model/problem.ts';
import { refusal } from '../backends/port.ts';
import type { DocumentModule } from '../document/document-module.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { loadPart } from '../load-part.ts';
import { configureAgent, loadAgentFigures, loadAgents } from './agent-list.ts';
import { fallbackAfterMs, showFallbackAgents } from './fallback-agents.ts';
import type { syncAgents } from './restore-agents.ts';

/** The delay after the project's opening before the agents are read again, for changes made meanwhile (ms). W4.17 */
export const menuSyncAfterMs = 2_000;

const loadMatching = () => import('./restore-agents.ts');
const loadMaking = () => import('./make-agent.ts');

type AgentType = Extract<Command['type'], `agent.${string}` | `agents.${string}`>;

/** The user's agents: their list, their settings, and their assignment to cards. */
export function createAgentsModule(context: EngineContext, document: DocumentModule): EngineModule<AgentType> {
  const { environment, notices } = context;
  const { check } = document;
  let cancelTimers = () => {};

  function startTimers(): void {
    let isOver = false;
    const cancelSync = environment.later(menuSyncAfterMs, async () => {
      if (!(await loadAgents(context, { quietly: true }))) check.soon();
    });
    const cancelFallback = environment.later(fallbackAfterMs, async () => {
      const shown = await showFallbackAgents(context, () => isOver);
      if (shown) notices.show(shown, 'warning');
    });
    cancelTimers = () => {
      isOver = true;
      cancelSync();
      cancelFallback();
    };
  }

  async function withPart<P, T>(load: () => Promise<P>, act: (part: P) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const part = await loadPart(context, load);
    return part ? act(part) : failed('network');
  }

  /** Matches cards and agents again, and shows the result as a notice. */
  async function matchCards(match: typeof syncAgents) {
    const matched = await match(context, (joins) => document.handlers['nodes.join']({ type: 'nodes.join', joins }));
    check.soon();
    if (!matched.ok) return matched;
    const notice = matched.value;
    notices.show(notice, notice.code === 'agent.someMissing' ? 'warning' : 'info');
    return done;
  }

  return {
    handlers: {
      'agents.reload': async () => {
        const problem = await loadAgents(context);
        if (!problem) check.soon();
        return outcomeOf(problem);
      },
      // What only buttons do is loaded when it is asked for.
      'agents.sync': () => withPart(loadMatching, ({ syncAgents }) => matchCards(syncAgents)),
      'agents.restore': () => withPart(loadMatching, ({ restoreAgents }) => matchCards(restoreAgents)),
      'agent.count': ({ agentId }) => loadAgentFigures(context, agentId),
      'agent.create': async (command) => {
        const made = await withPart(loadMaking, ({ createAgent }) => createAgent(context, command));
        check.soon();
        return made;
      },
      'agent.duplicate': async ({ agentId }) => {
        const made = await withPart(loadMaking, ({ duplicateAgent }) => duplicateAgent(context, agentId));
        check.soon();
        return made;
      },
      'agents.setModels': async ({ type: _type, ...models }) => {
        const set = await context.backend.call('agent.setModels', { body: models });
        if (!set.ok) return refusal(set.fault);
        await loadAgents(context, { quietly: true });
        return { ok: true, value: { modelsBefore: set.value.agents } };
      },
      'agent.configure': ({ agentId, configuration }) => configureAgent(context, agentId, configuration),
    },
    onProjectOpened: () => {
      cancelTimers();
      startTimers();
    },
    onProjectGone: () => cancelTimers(),
    close: () => cancelTimers(),
  };
}
