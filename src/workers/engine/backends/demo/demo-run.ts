import type { Execution, ExecutionEvent, StepRun } from '../../../../../contract/execution.ts';
import type { Pipeline } from '../../../../../contract/pipeline.ts';
import type { ServerMessage } from '../../../../../contract/realtime.ts';
import type { Thought } from '../../../../../contract/thought.ts';
import type { Environment } from '../../environment/environment.ts';
import type { ExecutionAction } from '../port.ts';
import { demoAnswer } from './demo-answer.ts';
import { type DemoLine, demoEndMs, demoScript, demoStepMs, demoTextIntervalMs } from './demo-script.ts';
import { demoAgentId, demoTeam } from './demo-team.ts';
import type { DemoTexts } from './demo-texts.ts';

type DemoRunOptions = {
  execution: Execution;
  pipeline: Pipeline;
  texts: DemoTexts;
  clock: Pick<Environment, 'now' | 'newId' | 'later'>;
  tell: (message: ServerMessage) => void;
};

/** One run of the script: one agent works after another. It can be paused between two agents and stopped at any time. W4.16 */
export class DemoRun {
  readonly execution: Execution;
  readonly steps: StepRun[];
  readonly events: ExecutionEvent[] = [];
  readonly thoughts: Thought[] = [];
  readonly #options: DemoRunOptions;
  #cancelTimer: () => void = () => {};

  constructor(options: DemoRunOptions) {
    this.#options = options;
    this.execution = options.execution;
    this.steps = options.pipeline.steps.map((step) => stepAtRest(step));
  }

  beginIn(ms: number): void {
    this.#after(ms, () => {
      this.execution.startedAt = this.#moment();
      this.#emit('execution.started', { status: 'running' });
      this.#next();
    });
  }

  /** Whether the action was possible. */
  control(action: ExecutionAction): boolean {
    const { status } = this.execution;
    switch (action) {
      case 'pause':
        if (status !== 'running') return false;
        this.#emit('execution.pausing', { pauseRequested: true });
        return true;
      case 'resume':
      case 'nextStep':
        if (status !== 'paused' && !this.execution.pauseRequested) return false;
        this.#emit('execution.resumed', { status: 'running', pauseRequested: action === 'nextStep' });
        if (status === 'paused') this.#next();
        return true;
      case 'stop':
        if (status !== 'pending' && status !== 'running' && status !== 'paused') return false;
        this.#stop();
        return true;
    }
  }

  /** Stops without a further message. */
  close(): void {
    this.#cancelTimer();
  }

  #next(): void {
    const step = this.steps.find(({ status }) => status === 'pending');
    const line = demoScript.find(({ agent }) => demoAgentId(agent) === step?.agentId);
    if (!step || !line) {
      this.#after(demoEndMs, () => this.#end());
      return;
    }
    Object.assign(step, { status: 'running', startedAt: this.#moment(), attempts: 1 });
    this.#emit('step.started', {}, { step });
    this.#write(step, line, demoTextIntervalMs, '');
  }

  /** Sends a longer part of the message each time, until it is complete. */
  #write(step: StepRun, line: DemoLine, writtenMs: number, written: string): void {
    this.#after(demoTextIntervalMs, () => {
      const answer = demoAnswer(line, this.#options.texts);
      if (writtenMs >= demoStepMs) return this.#finish(step, line, answer);
      const shown = answer.slice(0, Math.ceil((answer.length * writtenMs) / demoStepMs)).toWellFormed();
      const position = shown.startsWith(written) ? written.length : 0;
      this.#think(step, shown.slice(position), { partial: true, position });
      this.#write(step, line, writtenMs + demoTextIntervalMs, shown);
    });
  }

  #finish(step: StepRun, { agent, promptTokens, completionTokens }: DemoLine, result: string): void {
    const { clock, texts } = this.#options;
    const at = this.#moment();
    const thought: Thought = {
      ...{ id: clock.newId(), agentId: step.agentId, projectId: this.execution.projectId, executionId: this.execution.id },
      ...{ stepId: step.stepId, content: texts.script[agent].thought, createdAt: at, updatedAt: at },
    };
    this.thoughts.unshift(thought);
    this.#think(step, thought.content, { partial: false, thoughtId: thought.id });
    Object.assign(step, {
      ...{ status: 'completed', completedAt: at, durationMs: demoStepMs, provider: 'simulated', model: 'simulated', simulated: true },
      ...{ usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }, result },
    });
    const done = this.steps.filter(({ status }) => status === 'completed').length;
    this.#emit('step.completed', { progress: (100 * done) / this.steps.length }, { step });
    const isLast = done === this.steps.length;
    if (this.execution.pauseRequested && !isLast) this.#emit('execution.paused', { status: 'paused', pauseRequested: false });
    else this.#next();
  }

  #end(): void {
    const result = this.steps.at(-1)?.result ?? '';
    const at = this.#moment();
    this.#emit(
      'execution.completed',
      { status: 'completed', pauseRequested: false, progress: 100, result, completedAt: at },
      { text: result },
    );
  }

  #stop(): void {
    this.#cancelTimer();
    const at = this.#moment();
    for (const step of this.steps) {
      const ran = step.status === 'running';
      if (ran || step.status === 'pending') Object.assign(step, { status: 'cancelled', completedAt: ran ? at : null });
      if (ran) this.#emit('step.cancelled', {}, { step });
    }
    this.#emit('execution.cancelled', { status: 'cancelled', pauseRequested: false, completedAt: at });
  }

  #after(ms: number, task: () => void): void {
    this.#cancelTimer = this.#options.clock.later(ms, task);
  }

  #moment(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }

  #think(
    { agentId, stepId }: StepRun,
    content: string,
    kind: { partial: true; position: number } | { partial: false; thoughtId: string },
  ): void {
    const { projectId, id: executionId } = this.execution;
    this.#options.tell({ type: 'agent_thought', agentId, content, projectId, executionId, stepId, ...kind });
  }

  #emit(type: ExecutionEvent['type'], changes: Partial<Execution>, more: { step?: StepRun; text?: string } = {}): void {
    const { execution } = this;
    const at = this.#moment();
    Object.assign(execution, changes, { lastSeq: execution.lastSeq + 1, updatedAt: at });
    const { id: executionId, lastSeq: seq, status, pauseRequested, progress, projectId, pipelineId } = execution;
    const event: ExecutionEvent = structuredClone({
      ...{ executionId, seq, at, type, status, pauseRequested, progress },
      ...{ step: more.step ?? null, text: more.text ?? null, error: null },
    });
    this.events.push(event);
    this.#options.tell({ type: 'pipeline_update', status, projectId, pipelineId, executionId, seq, event });
  }
}

function stepAtRest({ id, orderIndex, name, agentId, nodeId }: Pipeline['steps'][number]): StepRun {
  const member = Object.entries(demoTeam).find(([key]) => demoAgentId(key as keyof typeof demoTeam) === agentId)?.[1];
  return {
    ...{ stepId: id, orderIndex, name, agentId, nodeId, role: member?.role ?? '', status: 'pending', attempts: 0 },
    ...{ startedAt: null, completedAt: null, durationMs: null, provider: null, model: null, simulated: false },
    ...{ usage: null, result: null, error: null },
  };
}
