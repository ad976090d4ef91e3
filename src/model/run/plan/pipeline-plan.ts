import { type Agent, modelCallsTools } from '../../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { maxBeginnings, type RunBeginning } from '../../../../contract/executions/execution.ts';
import { maxSteps } from '../../../../contract/executions/pipeline.ts';
import type { StepSettings } from '../../../../contract/executions/run-graph.ts';
import { isAgentCard, isPersonCard, isStepCard, isWorkingAgent, nameOf } from '../../../../rules/card.ts';
import { CheckedDocument, type ValidationProblem } from '../../../../rules/checked-document.ts';
import { agentIdsForRun } from '../../agents/assign-agents.ts';
import type { Problem } from '../../problem.ts';
import { orderCards } from './order-cards.ts';
import { type GraphPlan, graphPlan, graphPlanProblems } from './run-graph-plan.ts';
import { isStep, linksForward, type RunLimit, runScope } from './run-scope.ts';

type PlannedStep = { nodeId: string; agentId: string; title: string; description: string; settings?: StepSettings; groupId?: string };

export type PipelinePlan = {
  /** In execution order. */
  steps: PlannedStep[];
  dialog: CanvasNode | null;
  /** Absent where it begins with too many cards to name. */
  begunWith?: RunBeginning;
  /** The links between the nodes of the run. */
  connections: Connection[];
  /** Null: the steps run one after another. */
  graph: GraphPlan | null;
  /** Warnings, which do not prevent the run: skipped nodes, back links. */
  warnings: Problem[];
  /** Its agents whose models call no tools, with the warning of each: for a run with files or tools. */
  withoutTools: { agentId: string; warning: Problem }[];
};

/** `parallelSteps`: the project's setting. `alone`: the document has these cards alone. */
type PlanLimit = RunLimit & { parallelSteps?: number | undefined; alone?: boolean };

type Planned = { ok: true; plan: PipelinePlan } | { ok: false; problems: Problem[] };

/**
 * Converts the canvas into the pipeline of a run, or returns all problems that prevent it. A dialog's run holds the agents that are
 * reachable along links from it, or from its target when it leads to none. Without a dialog all agents take part, unlinked ones
 * last, or only those that the start nodes lead to. Nodes without a valid agent are skipped with a warning. W5.03
 */
export function planPipeline(
  document: CanvasDocument,
  agents: readonly Agent[],
  dialog: CanvasNode | null,
  { targetOnly = false, starts = [], parallelSteps, alone = false }: PlanLimit = {},
): Planned {
  const nodes = Object.entries(document.nodes);
  const keyedLinks = Object.entries(document.connections);
  const links = keyedLinks.map(([, link]) => link);
  if (!nodes.some(([, node]) => isWorkingAgent(node))) {
    const disabled = nodes.flatMap(([id, node]) => (isAgentCard(node) ? id : []));
    if (disabled.length > 0) return stopped({ code: 'run.allDisabled', nodeIds: disabled });
    return stopped({ code: dialog ? 'pipeline.noAgents' : 'run.noAgents' });
  }

  const { target, ids, cycles, backward } = runScope(document, dialog, { targetOnly, starts });
  if (dialog && !target) return stopped({ code: 'dialog.noTarget', params: { dialog: nameOf(dialog) } });
  const part = ids ? nodes.filter(([id]) => ids.has(id)) : nodes;
  const order = orderCards(
    part.map(([, node]) => node),
    linksForward(document),
    { first: target?.id ?? null, backward },
  );
  const inTurn = dialog ? order.nodes : [...order.nodes.filter((card) => !order.alone.has(card)), ...order.alone];

  const agentOf = agentIdsForRun(
    nodes.map(([, node]) => node),
    agents,
  );
  const checked = new Map<string, CanvasNode>();
  for (const [id, node] of part) if (isWorkingAgent(node)) checked.set(id, withAgent(node, agentOf(node)));
  if (dialog) checked.set(dialog.id, dialog);
  const between = keyedLinks.filter(([, { from, to }]) => checked.has(from.agentId) && checked.has(to.agentId));
  const broken = new CheckedDocument(agents, checked, between).problems();
  const problems = broken.filter(({ severity, code }) => severity === 'error' && code !== skipped);
  if (problems.length > 0) return { ok: false, problems: problems.map(problemOf) };

  const warnings: Problem[] = [...backward].map((link) => backwardLink(document, link));
  const steps: PlannedStep[] = [];
  for (const node of inTurn) {
    if (isStepCard(node) && !isStep(node)) warnings.push({ code: 'agent.skipped', params: { agent: nameOf(node) } });
    else if (isStep(node)) {
      // A person's step names any agent: no model is called for it.
      const agentId = isPersonCard(node) ? (agents[0]?.id ?? node.id) : agentOf(node);
      steps.push({ nodeId: node.id, agentId, title: nameOf(node), description: node.description ?? '' });
    }
  }
  if (!steps.some(({ nodeId }) => checked.has(nodeId))) return stopped({ code: 'run.noValidAgents' });
  if (steps.length > maxSteps) return stopped({ code: 'run.tooManySteps', params: { steps: steps.length, most: maxSteps } });
  const takesPart = (id: string) => (ids ? ids.has(id) : Object.hasOwn(document.nodes, id));
  const connections = links.filter(({ from, to }) => takesPart(to.agentId) && (takesPart(from.agentId) || from.agentId === dialog?.id));
  const stepIds = steps.map(({ nodeId }) => nodeId);
  const leftOut = new Set([...backward].map(({ id }) => id));
  // A message to a single agent follows no links.
  const starterIds = (dialog ? [dialog] : starts).map(({ id }) => id);
  const graph = targetOnly ? null : graphPlan(document, { stepIds, leftOut, starterId: dialog?.id ?? null, starterIds, parallelSteps });
  const unfit = graph ? graphPlanProblems(document, { stepIds, cycles }, graph) : [];
  if (unfit.length > 0) return { ok: false, problems: unfit.map(problemOf) };
  if (graph) for (const step of steps) Object.assign(step, stepInGraph(document, graph, step.nodeId));
  const asked = new Set(steps.flatMap(({ nodeId, agentId }) => (isWorkingAgent(document.nodes[nodeId] as CanvasNode) ? [agentId] : [])));
  const withoutTools = agents.flatMap((agent) => (asked.has(agent.id) ? warnedOfTools(agent) : []));
  const begunWith: RunBeginning = { nodeIds: starterIds, ...((targetOnly || alone) && { alone: true }) };
  const isNamed = starterIds.length <= maxBeginnings;
  return { ok: true, plan: { steps, dialog, ...(isNamed && { begunWith }), connections, graph, warnings, withoutTools } };
}

/** Cards and links that show one problem. */
const litAtMost = 100;

function problemOf({ code, params, nodeIds, connectionIds }: ValidationProblem): Problem {
  return {
    code,
    ...(params && { params }),
    ...(nodeIds && { nodeIds: nodeIds.slice(0, litAtMost) }),
    ...(connectionIds && { connectionIds: connectionIds.slice(0, litAtMost) }),
  };
}

function warnedOfTools({ id, title, apiConfiguration }: Agent): PipelinePlan['withoutTools'] {
  const { providerType, model, mayGoWithoutTools } = apiConfiguration;
  if (modelCallsTools(providerType, model)) return [];
  const code = mayGoWithoutTools ? 'agent.noTools' : 'agent.needsTools';
  return [{ agentId: id, warning: { code, params: { name: title, model } } }];
}

function stepInGraph({ nodes }: CanvasDocument, { groupOf }: GraphPlan, nodeId: string): Pick<PlannedStep, 'settings' | 'groupId'> {
  const [settings, groupId] = [nodes[nodeId]?.step, groupOf.get(nodeId)];
  return { ...(settings && { settings }), ...(groupId !== undefined && { groupId }) };
}

/** Returns the problem for which a node is skipped and not the run refused. */
const skipped = 'agent.titleMissing';

function stopped(problem: Problem): Planned {
  return { ok: false, problems: [problem] };
}

function withAgent(node: CanvasNode, serverAgentId: string): CanvasNode {
  return serverAgentId && serverAgentId !== node.serverAgentId ? { ...node, serverAgentId } : node;
}

function backwardLink({ nodes }: CanvasDocument, { from, to }: Connection): Problem {
  const name = (id: string) => (nodes[id] ? nameOf(nodes[id]) : '');
  return { code: 'link.backward', params: { from: name(from.agentId), to: name(to.agentId) } };
}
