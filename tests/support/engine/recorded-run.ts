import type { ExecutionDetails, StepRun } from '../../../contract/executions/execution.ts';
import type { ChangedStep, ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import { projectId, uuid } from './samples.ts';

const startedAt = Date.parse('2026-11-20T10:00:00.000Z');

/**
 * A finished run of `steps` steps that all work `rounds` times, in a review loop, with its log: two events a step, and one each round.
 * The time between two events follows from `pauseMs`. Every tenth step of the first round fails once and is repeated.
 */
export function recordedRun(
  steps: number,
  rounds: number,
  pauseMs: (event: number) => number = () => 1_000,
): { details: ExecutionDetails; events: ExecutionEvent[] } {
  const executionId = uuid(1, 4);
  const events: ExecutionEvent[] = [];
  const runs = new Map<string, StepRun>();
  let time = startedAt;
  const at = () => new Date(time).toISOString();
  const add = (type: ExecutionEvent['type'], more: Partial<ExecutionEvent> = {}) => {
    time += pauseMs(events.length + 1);
    const hasEnded = type === 'execution.completed';
    events.push({
      ...{ executionId, seq: events.length + 1, at: at(), type, status: hasEnded ? 'completed' : 'running', pauseRequested: false },
      ...{ progress: hasEnded ? 100 : 50, step: null, text: null, error: null, ...more },
    });
  };
  const change = (type: ExecutionEvent['type'], step: StepRun) => {
    runs.set(step.stepId, step);
    add(type, { step });
  };

  for (let at = 0; at < steps; at += 1) runs.set(stepId(at, 0), pendingStep(at, 0));
  add('execution.started');
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) {
      const changedSteps = Array.from({ length: steps }, (_, step): ChangedStep => {
        return { stepId: stepId(step, round), pipelineStepId: stepId(step, 0), round, item: 0, status: 'pending' };
      });
      for (const [step, { stepId: id }] of changedSteps.entries()) runs.set(id, pendingStep(step, round));
      add('step.round', { text: String(round + 1), changedSteps });
    }
    for (let number = 0; number < steps; number += 1) {
      const pending = pendingStep(number, round);
      const running: StepRun = { ...pending, status: 'running', startedAt: at(), attempts: 1 };
      change('step.started', running);
      if (round === 0 && number % 10 === 9) change('step.retrying', { ...running, attempts: 2 });
      change('step.completed', {
        ...{
          ...running,
          status: 'completed',
          completedAt: at(),
          durationMs: 500,
          provider: 'simulated',
          model: 'simulated',
          simulated: true,
        },
        ...{ usage: { promptTokens: 80, completionTokens: 20 + number, totalTokens: 100 + number } },
        result: `Result ${number} of round ${round}. ${'It says what was done. '.repeat(20)}`,
      });
    }
  }
  const result = 'All is done.';
  add('execution.completed', { text: result });
  const details: ExecutionDetails = {
    ...{ id: executionId, pipelineId: uuid(1, 2), projectId, status: 'completed', held: false, pauseRequested: false },
    ...{ initialTask: 'Build it', dialogNodeId: null, result, error: null, progress: 100, priority: 5, timeoutSeconds: 3_600 },
    ...{ pauseBetweenStepsMs: 0, startedAt: events[0]?.at ?? null, completedAt: at(), failedAt: null, lastSeq: events.length },
    ...{ createdAt: new Date(startedAt).toISOString(), updatedAt: at() },
    steps: [...runs.values()],
  };
  return { details, events };
}

const stepId = (step: number, round: number) => uuid(step + round * 100_000, 3);

function pendingStep(number: number, round: number): StepRun {
  return {
    ...{ stepId: stepId(number, round), orderIndex: number, name: `Agent ${number}`, agentId: uuid(number, 1), nodeId: `node-${number}` },
    ...{ role: 'Developer', status: 'pending', attempts: 0, startedAt: null, completedAt: null, durationMs: null, provider: null },
    ...{ model: null, simulated: false, usage: null, result: null, error: null },
    ...(round > 0 && { round, item: 0, pipelineStepId: stepId(number, 0), choice: undefined }),
  };
}
