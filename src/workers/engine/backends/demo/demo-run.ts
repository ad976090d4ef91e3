import type { Execution, StepRun } from '../../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../../contract/executions/execution-event.ts';
import type { QuestionDetails } from '../../../../../contract/executions/question.ts';
import type { Thought } from '../../../../../contract/executions/thought.ts';
import type { ToolCall } from '../../../../../contract/executions/tool-call.ts';
import { stepCount } from '../../../../../rules/run-graph/step-count.ts';
import { simulatedTestRun } from '../../../../../rules/simulated/simulated-test-run.ts';
import { pendingStep } from '../../../../model/run/not-started.ts';
import type { BackendParts } from '../../create-engine.ts';
import type { Environment } from '../../environment/environment.ts';
import type { ExecutionAction } from '../port.ts';
import type { AgentMove, DemoCall, DemoMove, PersonMove } from './demo-script.ts';
import { demoCallMs, demoEndMs, demoQuestionMs, demoStepMs, demoTextIntervalMs } from './demo-script.ts';

/** What a demonstration needs of its engine, and of its machine. */
export type DemoParts = Pick<BackendParts, 'language' | 'onMessage'>;
export type DemoClock = Pick<Environment, 'now' | 'newId' | 'later'>;

type DemoRunOptions = {
  execution: Execution;
  /** Of a fork: those that it keeps, and those that run. */
  steps: StepRun[];
  /** The steps that a fork keeps, in the order in which they had begun. */
  begun?: StepRun[];
  moves: readonly DemoMove[];
  clock: DemoClock;
  tell: DemoParts['onMessage'];
};

/** A point at which a script waits: so long (ms), or null until a paused run goes on. */
type Wait = number | null;

/**
 * One run of a script: one agent works after another, in review loops more than once, and persons are asked. It can be paused between two
 * agents and stopped at any time. W4.16
 */
export class DemoRun {
  readonly execution: Execution;
  readonly steps: StepRun[];
  readonly moves: readonly DemoMove[];
  readonly events: ExecutionEvent[] = [];
  readonly thoughts: Thought[] = [];
  /** The question that the run has asked. */
  question: QuestionDetails | null = null;
  /** The steps in the order in which they began: one for each move of the script. */
  readonly begun: StepRun[];
  readonly #clock: DemoRunOptions['clock'];
  readonly #tell: DemoRunOptions['tell'];
  readonly #script: Generator<Wait, void> = this.#play();
  #cancelTimer: () => void = () => {};

  constructor({ execution, steps, begun = [], moves, clock, tell }: DemoRunOptions) {
    this.execution = execution;
    this.steps = steps;
    this.begun = begun;
    this.moves = moves;
    this.#clock = clock;
    this.#tell = tell;
  }

  beginIn(ms: number): void {
    this.#cancelTimer = this.#clock.later(ms, () => this.#goOn());
  }

  /** Whether the action was possible. */
  control(action: ExecutionAction): boolean {
    const { status, pauseRequested } = this.execution;
    switch (action) {
      case 'pause':
        if (status !== 'running') return false;
        this.#emit('execution.pausing', { pauseRequested: true });
        return true;
      case 'resume':
      case 'nextStep':
        if (status !== 'paused' && !pauseRequested) return false;
        this.#emit('execution.resumed', { status: 'running', pauseRequested: action === 'nextStep' });
        if (status === 'paused') this.#goOn();
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

  /** Plays the script up to its next wait. */
  #goOn(): void {
    const { value, done } = this.#script.next();
    if (!done && value !== null) this.beginIn(value);
  }

  *#play(): Generator<Wait, void> {
    this.execution.startedAt = this.#moment();
    if (this.begun.length > 0) this.#emit('step.reused', {}, { changedSteps: this.begun.map(changeOf) });
    this.#emit('execution.started', { status: 'running', progress: this.#progress() });
    for (const move of this.moves.slice(this.begun.length)) {
      const step = this.steps.find(({ status, nodeId }) => status === 'pending' && nodeId === move.nodeId);
      if (!step) continue;
      this.begun.push(step);
      yield* 'question' in move ? this.#ask(step, move) : this.#work(step, move);
      if (this.execution.pauseRequested && this.#progress() < 100) {
        this.#emit('execution.paused', { status: 'paused', pauseRequested: false });
        yield null;
      }
    }
    yield demoEndMs;
    this.#end();
  }

  *#work(step: StepRun, move: AgentMove): Generator<Wait, void> {
    const { answer, promptTokens, completionTokens, choice, tests, calls = [], again = [] } = move;
    Object.assign(step, { status: 'running', startedAt: this.#moment(), attempts: 1 });
    this.#emit('step.started', {}, { step });
    for (const [turn, call] of calls.entries()) yield* this.#call(step, call, turn);
    yield* this.#write(step, answer, calls.length * demoCallMs);
    this.#addThought(step, move.thought);
    this.#complete(step, answer, demoStepMs, {
      provider: 'simulated',
      model: 'simulated',
      simulated: true,
      usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
      ...(choice !== undefined && { choice }),
      ...(tests && { testRun: { ...simulatedTestRun('vitest', tests, this.#moment()), ...(calls.length > 0 && { byAgent: true }) } }),
    });
    if (again.length > 0) this.#repeat(again);
  }

  *#call(step: StepRun, { tool, args, result }: DemoCall, turn: number): Generator<Wait, void> {
    const changes = tool === 'edit_file';
    const source = tool === 'run_tests' ? 'tests' : 'files';
    const call: ToolCall = {
      stepId: step.stepId,
      turn,
      callId: String(turn),
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
    step.toolUse = { calls: turn + 1, read, written, current: { tool, state: 'pending' } };
    this.#emit('tool.called', {}, { step, call });
    yield demoCallMs;
    step.toolUse = { calls: turn + 1, read: read + Number(tool === 'read_file'), written: written + Number(changes), current: null };
    this.#emit('tool.ended', {}, { step, call: { ...call, state: 'done', result, ms: demoCallMs, endedAt: this.#moment() } });
  }

  /** Sends a longer part of the message each time, until it is complete. */
  *#write(step: StepRun, answer: string, callsMs: number): Generator<Wait, void> {
    let written = '';
    for (let ms = callsMs + demoTextIntervalMs; ms < demoStepMs; ms += demoTextIntervalMs) {
      yield demoTextIntervalMs;
      const shown = answer.slice(0, Math.ceil((answer.length * (ms - callsMs)) / (demoStepMs - callsMs))).toWellFormed();
      const position = shown.startsWith(written) ? written.length : 0;
      this.#think(step, shown.slice(position), { partial: true, position, simulated: true });
      written = shown;
    }
    yield demoTextIntervalMs;
  }

  #addThought({ agentId, stepId }: StepRun, content: string): void {
    const { projectId, id: executionId } = this.execution;
    const at = this.#moment();
    const thought = { id: this.#clock.newId(), agentId, projectId, executionId, stepId, content, createdAt: at, updatedAt: at };
    this.thoughts.unshift(thought);
    this.#think({ agentId, stepId }, content, { partial: false, thoughtId: thought.id });
  }

  #complete(step: StepRun, result: string, durationMs: number, more: Partial<StepRun>): void {
    Object.assign(step, { status: 'completed', completedAt: this.#moment(), durationMs, result, ...more });
    this.#emit('step.completed', { progress: this.#progress() }, { step });
  }

  /** Begins another round of a review loop: its steps get new runs. */
  #repeat(nodeIds: readonly string[]): void {
    const added = nodeIds.flatMap((nodeId): StepRun[] => {
      const last = this.steps.findLast((step) => step.nodeId === nodeId);
      if (!last) return [];
      const { pipelineStepId = last.stepId, round = 0 } = last;
      return [pendingStep({ ...last, stepId: this.#clock.newId(), pipelineStepId, round: round + 1 })];
    });
    this.steps.push(...added);
    this.#emit('step.round', { progress: this.#progress() }, { changedSteps: added.map(changeOf) });
  }

  /** Asks a person, and answers as the script says. */
  *#ask(step: StepRun, { question, answer: text, answeredBy }: PersonMove): Generator<Wait, void> {
    const { id: executionId, projectId, pipelineId, initialTask: task } = this.execution;
    const openedAt = this.#moment();
    const last = this.steps.findLast(({ status }) => status === 'completed');
    Object.assign(step, { kind: 'person', status: 'waiting', startedAt: openedAt });
    this.#emit('step.waiting', {}, { step });
    const asked: QuestionDetails = {
      id: this.#clock.newId(),
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
      dueAt: new Date(this.#clock.now() + demoQuestionMs).toISOString(),
      whenDue: 'fail',
      answer: null,
      answeredAt: null,
      answeredBy: null,
      draft: null,
      before: last ? [{ title: last.name, role: last.role, text: last.result ?? '' }] : [],
    };
    this.question = asked;
    this.#emit('question.opened', {}, { question: asked });
    yield demoQuestionMs;
    const answered = { state: 'answered', answer: { action: 'answer', text }, answeredAt: this.#moment(), answeredBy } as const;
    this.question = { ...asked, ...answered };
    this.#emit('question.answered', {}, { question: this.question });
    this.#complete(step, text, demoQuestionMs, {});
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

  #moment(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  #think(
    { agentId, stepId }: Pick<StepRun, 'agentId' | 'stepId'>,
    content: string,
    kind: { partial: true; position: number; simulated: true } | { partial: false; thoughtId: string },
  ): void {
    const { projectId, id: executionId } = this.execution;
    this.#tell({ type: 'agent_thought', agentId, content, projectId, executionId, stepId, ...kind });
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
    this.#tell({ type: 'pipeline_update', status, projectId, pipelineId, executionId, seq, event });
  }
}

type EventContent = Partial<Pick<ExecutionEvent, 'step' | 'text' | 'changedSteps' | 'question' | 'call'>>;

function changeOf({ stepId, pipelineStepId = stepId, round = 0, status }: StepRun) {
  return { stepId, pipelineStepId, round, item: 0, status };
}
