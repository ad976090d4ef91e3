import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import type { ExecutionStart } from '../../../../contract/executions/execution.ts';
import {
  executionPriority,
  executionTimeoutSeconds,
  type PipelineCreation,
  stepTimeoutSeconds,
} from '../../../../contract/executions/pipeline.ts';
import { nameOf } from '../../../../rules/card.ts';
import { resolveDialogTarget } from '../starters/resolve-dialog-target.ts';
import type { PipelinePlan } from './pipeline-plan.ts';

/** The pause between the end of a step and the start of the next one (ms); none when steps run in parallel. W4.05 */
const pauseBetweenAgentsMs = 1_000;

/** The delay between the creation of a pipeline and its run (ms). The server keeps it, also when the page is closed. W4.17 */
export const startAfterCreationMs = 1_000;

/** The default command of a dialog. */
const defaultTriggerCommand = 'start_workflow';

/** Converts a plan into the server's pipeline. W3.05 */
export function pipelineOf(plan: PipelinePlan, projectId: string, projectName: string): PipelineCreation {
  return {
    name: (plan.dialog ? nameOf(plan.dialog) : projectName).slice(0, 200),
    description: (plan.dialog?.goal ?? '').slice(0, 4_000),
    projectId,
    steps: plan.steps.map(({ nodeId, agentId, title, description, settings, groupId }, orderIndex) => ({
      name: title,
      description,
      agentId,
      nodeId,
      orderIndex,
      timeoutSeconds: stepTimeoutSeconds,
      type: 1,
      ...(settings && { settings }),
      ...(groupId !== undefined && { groupId }),
    })),
    ...(plan.graph && { links: plan.graph.links, groups: plan.graph.groups, maxParallel: plan.graph.maxParallel }),
    // A graph without links says that it is one: to earlier clients such a pipeline is a chain.
    configuration: JSON.stringify({ connections: plan.connections, flowType: plan.graph?.links.length === 0 ? 'graph' : 'sequential' }),
  };
}

type StartOptions = { task: string; message: DialogMessage | null; holdHandOffs?: boolean | undefined; inputSetId?: string | undefined };

/** The request that starts a pipeline's execution with a task. W3.05 */
export function executionStartOf(plan: PipelinePlan, pipelineId: string, options: StartOptions): ExecutionStart {
  const { task, message, holdHandOffs, inputSetId } = options;
  const { dialog, steps, connections, graph, begunWith } = plan;
  return {
    pipelineId,
    initialTask: task,
    inputData: {
      task,
      userMessage: task,
      dialogNode: dialog && { id: dialog.id, title: nameOf(dialog), goal: dialog.goal ?? '' },
      agents: steps.map(({ nodeId, title }) => ({ id: nodeId, title })),
      connections,
      source: dialog ? 'dialog' : 'workspace',
      triggerCommand: dialog?.triggerCommand ?? defaultTriggerCommand,
      begunWith,
      ...(message && { message }),
    },
    priority: executionPriority,
    timeoutSeconds: executionTimeoutSeconds,
    pauseBetweenStepsMs: graph && graph.maxParallel > 1 ? 0 : pauseBetweenAgentsMs,
    startAfterMs: startAfterCreationMs,
    ...(holdHandOffs && steps.length > 1 && { holds: { all: true } }),
    ...(inputSetId !== undefined && { inputSetId }),
  };
}

/** The message of a dialog to its agent, with all its fields. W3.04 */
export type DialogMessage = {
  text: string;
  /** The dialog's node id. */
  id: string;
  dialogNodeTitle: string;
  /** Null without a receiving agent. */
  targetAgentId: string | null;
  targetAgentTitle: string | null;
  triggerCommand: string;
  autoStartSimulation: boolean;
  /** ISO 8601. */
  timestamp: string;
};

/** Creates the message of a dialog, sent at `now` (ms since the epoch). */
export function dialogMessageOf(document: CanvasDocument, dialog: CanvasNode, text: string, now: number): DialogMessage {
  const target = resolveDialogTarget(document, dialog);
  return {
    text,
    id: dialog.id,
    dialogNodeTitle: nameOf(dialog),
    targetAgentId: target?.serverAgentId ?? target?.id ?? null,
    targetAgentTitle: target && nameOf(target),
    triggerCommand: dialog.triggerCommand ?? defaultTriggerCommand,
    autoStartSimulation: dialog.autoStartSimulation ?? true,
    timestamp: new Date(now).toISOString(),
  };
}
