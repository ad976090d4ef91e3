import type { Execution, StepRun } from '../../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../../../contract/executions/pipeline.ts';
import type { QuestionDetails } from '../../../../../contract/executions/question.ts';
import type { Thought } from '../../../../../contract/executions/thought.ts';
import type { ToolCall } from '../../../../../contract/executions/tool-call.ts';
import type { ServerMessage } from '../../../../../contract/realtime.ts';
import { stepCount } from '../../../../../rules/run-graph/step-count.ts';
import type { Environment } from '../../environment/environment.ts';
import type { ExecutionAction } from '../port.ts';
import type { AgentMove, DemoMove, PersonMove } from './demo-move.ts';
import { demoCallMs, demoEndMs, demoQuestionMs, demoStepMs, demoTextIntervalMs } from './demo-script.ts';
import { demoAgentId, demoTeam } from './demo-team.ts';
import { demoTestRun } from './demo-tests.ts';

type DemoRunOptions = {
  execution: Execution;
  /** Of a fork: those that it keeps, and those that run. */
  steps: StepRun[];
  /** The moves of the script that a fork keeps. */
  kept?: number;
  moves: readonly DemoMove[];
  clock: Pick<Environment, 'now' | 'newId' | 'later'>;
  tell: (message: ServerMessage) => void;
};

/**
 * One run of a script: one agent works after another, in review loops more than once, and persons are asked. It can be paused between two
 * agents and stopped at any time. W4.16
 */
export class DemoRun {
  readonly execution: Execution;
  readonly steps: StepRun[];
  readonly events: ExecutionEvent[] = [];
  readonly thoughts: Thought[] = [];
  /** The calls of tools that have ended. */
  readonly calls: ToolCall[] = [];
  /** The question that the run has asked. */
  question: QuestionDetails | null = null;
  /** The steps in the order in which they began: one for each move of the script. */
  readonly begun: StepRun[];
  /** Of steps of a later round: the number of moves that had begun when their round began. */
  readonly addedBy = new Map<string, number>();
  readonly #options: DemoRunOptions;
  #cancelTimer: () => void = () => {};

  constructor(options: DemoRunOptions) {
    this.#options = options;
    this.execution = options.execution;
    this.steps = options.steps;
    const kept = options.moves.slice(0, options.kept ?? 0);
    this.begun = [];
    for (const { nodeId } of kept) {
      const step = this.steps.find((one) => one.nodeId === nodeId && one.status === 'reused' && !this.begun.includes(one));
      if (step) this.begun.push(step);
    }
  }

  beginIn(ms: number): void {
    this.#after(ms, () => {
      this.execution.startedAt = this.#moment();
      if (this.begun.length > 0) this.#emit('step.reused', {}, { changedSteps: this.begun.map(changeOf) });
      this.#emit('execution.started', { status: 'running', progress: this.#progress() });
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
    const move = this.#options.moves[this.begun.length];
    const step = this.steps.find(({ status, nodeId }) => status === 'pending' && nodeId === move?.nodeId);
    if (!step || !move) {
      this.#after(demoEndMs, () => this.#end());
      return;
    }
    this.begun.push(step);
    if ('question' in move) {
      this.#ask(step, move);
      return;
    }
    Object.assign(step, { status: 'running', startedAt: this.#moment(), attempts: 1 });
    this.#emit('step.started', {}, { step });
    this.#call(step, move, 0);
  }

  /** Carries out the calls of the move, one after another. Then the message is written. */
  #call(step: StepRun, move: AgentMove, at: number): void {
    const { calls = [] } = move;
    const scripted = calls[at];
    if (!scripted) {
      this.#write(step, move, calls.length * demoCallMs + demoTextIntervalMs, '');
      return;
    }
    const { tool, args, result } = scripted;
    const changes = tool === 'edit_file';
    const source = tool === 'run_tests' ? 'tests' : 'files';
    const call: ToolCall = {
      stepId: step.stepId,
      turn: at,
      callId: String(at),
      tool,
      args: JSON.stringify(args),
      source,
      effect: changes || source === 'tests' ? 'idempotent' : 'read',
      state: 'pending',
      result: null,
      ms: null,
      createdAt: this.#moment(),
      endedAt: null,
    };
    const { read, written } = step.toolUse ?? { read: 0, written: 0 };
    step.toolUse = { calls: at + 1, read, written, current: { tool, state: 'pending' } };
    this.#emit('tool.called', {}, { step, call });
    this.#after(demoCallMs, () => {
      const ended: ToolCall = { ...call, state: 'done', result, ms: demoCallMs, endedAt: this.#moment() };
      this.calls.push(ended);
      step.toolUse = { calls: at + 1, read: read + Number(tool === 'read_file'), written: written + Number(changes), current: null };
      this.#emit('tool.ended', {}, { step, call: ended });
      this.#call(step, move, at + 1);
    });
  }

  /** Sends a longer part of the message each time, until it is complete. */
  #write(step: StepRun, move: AgentMove, writtenMs: number, written: string): void {
    this.#after(demoTextIntervalMs, () => {
      const { answer, calls = [] } = move;
      if (writtenMs >= demoStepMs) return this.#finish(step, move);
      const callsMs = calls.length * demoCallMs;
      const shown = answer.slice(0, Math.ceil((answer.length * (writtenMs - callsMs)) / (demoStepMs - callsMs))).toWellFormed();
      const position = shown.startsWith(written) ? written.length : 0;
      this.#think(step, shown.slice(position), { partial: true, position, simulated: true });
      this.#write(step, move, writtenMs + demoTextIntervalMs, shown);
    });
  }

  #finish(
    step: StepRun,
    { thought: content, answer, promptTokens, completionTokens, choice, tests, calls = [], again = [] }: AgentMove,
  ): void {
    const at = this.#moment();
    const thought: Thought = {
      id: this.#options.clock.newId(),
      agentId: step.agentId,
      projectId: this.execution.projectId,
      executionId: this.execution.id,
      stepId: step.stepId,
      content,
      createdAt: at,
      updatedAt: at,
    };
    this.thoughts.unshift(thought);
    this.#think(step, thought.content, { partial: false, thoughtId: thought.id });
    Object.assign(step, {
      status: 'completed',
      completedAt: at,
      durationMs: demoStepMs,
      provider: 'simulated',
      model: 'simulated',
      simulated: true,
      usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
      result: answer,
      ...(choice !== undefined && { choice }),
      ...(tests && { testRun: demoTestRun(tests, at, calls.length > 0) }),
    });
    this.#emit('step.completed', { progress: this.#progress() }, { step });
    if (again.length > 0) this.#repeat(again);
    this.#goOn();
  }

  /** Begins another round of a review loop: its steps get new runs. */
  #repeat(nodeIds: readonly string[]): void {
    const added = nodeIds.flatMap((nodeId): StepRun[] => {
      const last = this.steps.findLast((step) => step.nodeId === nodeId);
      if (!last) return [];
      const { pipelineStepId = last.stepId, orderIndex, name, agentId, role } = last;
      const place = { pipelineStepId, round: (last.round ?? 0) + 1 };
      return [{ ...stepAtRest({ id: this.#options.clock.newId(), orderIndex, name, agentId, nodeId }), role, ...place }];
    });
    this.steps.push(...added);
    for (const { stepId } of added) this.addedBy.set(stepId, this.begun.length);
    this.#emit('step.round', { progress: this.#progress() }, { changedSteps: added.map(changeOf) });
  }

  /** Asks a person, and answers as the script says. */
  #ask(step: StepRun, { question, answer: text, answeredBy }: PersonMove): void {
    const { clock } = this.#options;
    const { id: executionId, projectId, pipelineId, initialTask: task } = this.execution;
    const openedAt = this.#moment();
    Object.assign(step, { kind: 'person', status: 'waiting', startedAt: openedAt });
    this.#emit('step.waiting', {}, { step });
    const asked: QuestionDetails = {
      id: clock.newId(),
      executionId,
      projectId,
      pipelineId,
      stepId: step.stepId,
      nodeId: step.nodeId,
      round: 0,
      item: 0,
      kind: 'person',
      reason: 'card',
      waiting: [],
      task,
      inputs: [],
      buttons: [],
      actions: ['answer'],
      attempts: 0,
      usage: null,
      ...question,
      simulated: false,
      state: 'open',
      openedAt,
      dueAt: new Date(clock.now() + demoQuestionMs).toISOString(),
      whenDue: 'fail',
      answer: null,
      answeredAt: null,
      answeredBy: null,
      draft: null,
      before: this.#resultsBefore(),
    };
    this.question = asked;
    this.#emit('question.opened', {}, { question: asked });
    this.#after(demoQuestionMs, () => {
      const at = this.#moment();
      const answered: QuestionDetails = { ...asked, state: 'answered', answer: { action: 'answer', text }, answeredAt: at, answeredBy };
      this.question = answered;
      this.#emit('question.answered', {}, { question: answered });
      Object.assign(step, { status: 'completed', completedAt: at, durationMs: demoQuestionMs, result: text });
      this.#emit('step.completed', { progress: this.#progress() }, { step });
      this.#goOn();
    });
  }

  /** The result of the step before the person. */
  #resultsBefore(): QuestionDetails['before'] {
    const last = this.steps.findLast(({ status }) => status === 'completed');
    return last ? [{ title: last.name, role: last.role, text: last.result ?? '' }] : [];
  }

  #goOn(): void {
    const { done, total } = stepCount(this.steps);
    const isLast = done === total;
    if (this.execution.pauseRequested && !isLast) this.#emit('execution.paused', { status: 'paused', pauseRequested: false });
    else this.#next();
  }

  #progress(): number {
    const { done, total } = stepCount(this.steps);
    return (100 * done) / total;
  }

  #end(): void {
    // The answer of a run is that of its last agent.
    const result = this.steps.findLast(({ usage }) => usage !== null)?.result ?? '';
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
      const ran = step.status === 'running' || step.status === 'waiting';
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
    kind: { partial: true; position: number; simulated: true } | { partial: false; thoughtId: string },
  ): void {
    const { projectId, id: executionId } = this.execution;
    this.#options.tell({ type: 'agent_thought', agentId, content, projectId, executionId, stepId, ...kind });
  }

  #emit(type: ExecutionEvent['type'], changes: Partial<Execution>, more: EventContent = {}): void {
    const { execution } = this;
    const at = this.#moment();
    Object.assign(execution, changes, { lastSeq: execution.lastSeq + 1, updatedAt: at });
    const { id: executionId, lastSeq: seq, status, pauseRequested, progress, projectId, pipelineId } = execution;
    const event: ExecutionEvent = structuredClone({
      executionId,
      seq,
      at,
      type,
      status,
      pauseRequested,
      progress,
      step: null,
      text: null,
      error: null,
      ...more,
    });
    this.events.push(event);
    this.#options.tell({ type: 'pipeline_update', status, projectId, pipelineId, executionId, seq, event });
  }
}

type EventContent = Partial<Pick<ExecutionEvent, 'step' | 'text' | 'changedSteps' | 'question' | 'call'>>;

function changeOf({ stepId, pipelineStepId = stepId, round = 0, status }: StepRun) {
  return { stepId, pipelineStepId, round, item: 0, status };
}

/** A step of the script before it begins. */
export function stepAtRest({
  id,
  orderIndex,
  name,
  agentId,
  nodeId,
}: Pick<Pipeline['steps'][number], 'id' | 'orderIndex' | 'name' | 'agentId' | 'nodeId'>): StepRun {
  const member = Object.entries(demoTeam).find(([key]) => demoAgentId(key as keyof typeof demoTeam) === agentId)?.[1];
  return {
    stepId: id,
    orderIndex,
    name,
    agentId,
    nodeId,
    role: member?.role ?? 'user',
    status: 'pending',
    attempts: 0,
    startedAt: null,
    completedAt: null,
    durationMs: null,
    provider: null,
    model: null,
    simulated: false,
    usage: null,
    result: null,
    error: null,
  };
}
