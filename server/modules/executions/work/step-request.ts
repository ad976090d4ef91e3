import { loopsAround } from '../../../../rules/run-graph/run-graph.ts';
import { hasResult } from '../../../../rules/run-graph/step-count.ts';
import type { EarlierResult, ModelRequest } from '../../../platform/llm/language-model.ts';
import { type AgentModelConfig, contextFor } from '../../agents/index.ts';
import { compiledOf } from '../graph/compiled-graph.ts';
import { testsOf } from '../graph/graph-inputs.ts';
import { originOf } from '../graph/step-states.ts';
import type { Claim } from '../transitions/claim.ts';

/** Returns the request of a step to its model: the task, and what the step gets from earlier ones. */
export function requestOf(
  { row, step, steps, contexts, inputs }: Claim,
  settings: Pick<AgentModelConfig, 'temperature' | 'maxTokens' | 'effort' | 'contextAccessLevel'>,
): ModelRequest {
  const earlier = steps.filter(({ orderIndex, status }) => orderIndex < step.orderIndex && hasResult(status));
  const results =
    inputs?.earlier ??
    earlier.map(({ agentTitle, role, result, marks, ...row }): EarlierResult => {
      const tests = testsOf([row]);
      return {
        title: agentTitle,
        role,
        text: result ?? '',
        ...(marks?.includes('cut') && { isCut: true }),
        ...(tests.length > 0 && { tests }),
      };
    });
  return {
    role: step.role,
    agentTitle: step.agentTitle,
    systemPrompt: step.systemPrompt,
    task: row.initialTask,
    ...contextFor(settings.contextAccessLevel, { earlier: results, contexts }),
    language: row.language,
    ...(inputs && { inGraph: inputs.inGraph }),
    temperature: settings.temperature,
    maxTokens: settings.maxTokens,
    effort: settings.effort,
    cacheKey: row.id,
    idempotencyKey: `${row.id}:${step.stepId}${step.revision ? `:${step.attempts}` : ''}`,
  };
}

/** Whether a step is in the first round of a loop that failing tests repeat. */
export function isTestedFirst({ row: { graph }, step }: Pick<Claim, 'row' | 'step'>): boolean {
  if (graph === null || step.round !== 0) return false;
  const loops = loopsAround(compiledOf(graph), originOf(step));
  return loops.some(({ backLinks }) => backLinks.some(({ test }) => test?.is === 'testsFail'));
}

/** Returns the same request once more, after an answer without a choice. */
export function askedAgain(request: ModelRequest): ModelRequest {
  if (!request.inGraph) return request;
  return { ...request, inGraph: { ...request.inGraph, isAskedAgain: true }, idempotencyKey: `${request.idempotencyKey}:again` };
}
