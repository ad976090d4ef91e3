import type { StepRun } from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import { lackingMarks, type StepMark } from '../../../contract/executions/step-mark.ts';
import { executedCommand, type TestRun } from '../../../contract/executions/test-run.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import { stepCount } from '../../../rules/run-graph/step-count.ts';
import { innermostRound } from '../card-view.ts';
import type { Problem } from '../problem.ts';
import { callSubject } from '../run/call-subject.ts';
import type { ConsoleMessage, RunState } from '../workspace-state.ts';

/**
 * Returns the console's messages for one event, in order. Their ids follow from execution and event, so that the same log gives the
 * same messages again after a reload. `run` is the run after the event.
 */
export function consoleLines(event: ExecutionEvent, run: RunAfter): ConsoleMessage[] {
  return linesOf[event.type](new EventLines(event, run));
}

type RunAfter = Pick<RunState, 'execution' | 'steps'>;

const warning: Partial<ConsoleMessage> = { isWarning: true };
const error: Partial<ConsoleMessage> = { isError: true };
const none = () => [];

/** Makes the lines of one event. */
class EventLines {
  readonly event: ExecutionEvent;
  readonly run: RunAfter;

  constructor(event: ExecutionEvent, run: RunAfter) {
    this.event = event;
    this.run = run;
  }

  line(part: Partial<ConsoleMessage>, suffix = ''): ConsoleMessage {
    const { executionId, seq, at } = this.event;
    return { ...blankLine, id: `${executionId}:${seq}${suffix}`, timestamp: at, executionId, ...part };
  }

  says(code: string, params?: Problem['params'], flags: Partial<ConsoleMessage> = {}, suffix = ''): ConsoleMessage {
    return this.line({ event: params ? { code, params } : { code }, ...flags }, suffix);
  }

  /** One line that names the event's step. */
  ofStep(code: string, flags: Partial<ConsoleMessage> = {}): ConsoleMessage[] {
    const { step } = this.event;
    return step ? [this.says(code, named(step), { ...of(step), ...flags })] : [];
  }

  ofQuestion(code: string, flags: Partial<ConsoleMessage> = {}): ConsoleMessage[] {
    return [this.says(code, { agent: this.event.question?.title ?? '' }, flags)];
  }

  /** The result of the event's step, its tests and its marks. */
  ofResult(step: StepRun): ConsoleMessage[] {
    if (!step.result?.trim()) return this.ofStep('agent.noResult', warning);
    const toAgentTitle = after(step, this.run.steps);
    const result = { type: 'message', isAI: true, text: step.result, toAgentTitle, simulated: step.simulated } as const;
    return [
      this.line({ ...of(step), ...result }, ':result'),
      ...(step.testRun ? [this.ofTests(step, step.testRun)] : []),
      ...marksAtEnd(step).map((mark) => this.says('step.mark', { ...named(step), mark }, { ...of(step), ...warning }, `:${mark}`)),
      ...this.ofStep('task.completed'),
    ];
  }

  ofBegunTests(code: 'test.waiting' | 'test.started'): ConsoleMessage[] {
    const { step } = this.event;
    return step?.testRun ? [this.says(code, aboutTests(step, step.testRun), of(step))] : [];
  }

  ofTests(step: StepRun, run: TestRun): ConsoleMessage {
    const hasPassed = run.exitCode === 0;
    const code = run.simulated ? 'simulated' : run.command === '' ? 'none' : run.state;
    return this.says(`test.${code}`, aboutTests(step, run), { ...of(step), ...(!hasPassed && warning) }, ':tests');
  }
}

const linesOf: Record<ExecutionEvent['type'], (lines: EventLines) => ConsoleMessage[]> = {
  'execution.started': (lines) => {
    const { execution, steps } = lines.run;
    const task = { type: 'message', isUser: true, text: execution?.initialTask ?? '', toAgentTitle: steps[0]?.name ?? null } as const;
    return [lines.line(task, ':task'), lines.says('run.started', { count: stepCount(steps).total })];
  },
  'step.started': (lines) => lines.ofStep('step.started'),
  'step.retrying': (lines) => {
    const { step } = lines.event;
    return step ? [lines.says(...aboutRetry(step, lines.event), { ...of(step), ...warning })] : [];
  },
  'step.continued': (lines) => lines.ofStep('step.continued'),
  'test.waiting': (lines) => lines.ofBegunTests('test.waiting'),
  'test.started': (lines) => lines.ofBegunTests('test.started'),
  'step.completed': (lines) => (lines.event.step ? lines.ofResult(lines.event.step) : []),
  'step.failed': (lines) => {
    const { step, error: cause } = lines.event;
    const failure = step?.error ?? cause;
    if (!step || !failure) return lines.ofStep('task.failed', error);
    const params = { ...named(step), cause: failure.code, error: failure.message };
    return [...lines.ofStep('task.failed', error), lines.says('console.failed', params, { ...of(step), ...error }, ':cause')];
  },
  'step.cancelled': (lines) => lines.ofStep('task.cancelled', warning),
  'step.round': (lines) => [lines.says('run.round', { round: Number(lines.event.text ?? 0) })],
  'step.items': (lines) => [lines.says('run.items', { count: Number(lines.event.text ?? 0) })],
  'step.skipped': (lines) => [lines.says('run.stepsSkipped', { count: lines.event.changedSteps?.length ?? 0 })],
  'step.reused': (lines) => {
    const reused = lines.event.changedSteps?.filter(({ status }) => status === 'reused');
    return [lines.says('run.stepsReused', { count: reused?.length ?? 0 })];
  },
  'step.charged': none,
  'step.waiting': none,
  'question.withdrawn': none,
  'holds.changed': none,
  // A call is one line, when it is asked for; what a person decides has lines of its own.
  'tool.called': (lines) => {
    const { step, call } = lines.event;
    return step && call?.state === 'pending' ? [lines.says('tool.called', aboutCall(step, call), of(step))] : [];
  },
  'tool.ended': (lines) => {
    const { step, call } = lines.event;
    if (!step || !call || call.state === 'done') return [];
    return [lines.says(`tool.${call.state}`, aboutCall(step, call), { ...of(step), ...warning })];
  },
  'tools.refused': (lines) => lines.ofStep('tools.refused', warning),
  'prompt.shortened': (lines) => {
    const { step } = lines.event;
    if (!step?.shortened) return [];
    return [lines.says('prompt.shortened', { ...named(step), ...step.shortened }, { ...of(step), ...warning })];
  },
  'question.opened': (lines) => lines.ofQuestion('run.questionOpened', warning),
  'question.answered': (lines) => lines.ofQuestion('run.questionAnswered'),
  'question.expired': (lines) => lines.ofQuestion('run.questionExpired', warning),
  'context.added': (lines) => {
    const { status, text } = lines.event;
    // A run that has not started contains the results of the run that it follows, which the console has already.
    if (status === 'pending' && !lines.run.execution?.startedAt) return [lines.says('run.resultsHandedOn')];
    return [lines.line({ type: 'message', isUser: true, text: text ?? '' }, ':context'), lines.says('run.contextAdded')];
  },
  'execution.pausing': (lines) => [lines.says('run.pausing')],
  'execution.paused': (lines) => [lines.says('run.paused')],
  'execution.resumed': (lines) => [lines.says('run.resumed')],
  'execution.completed': (lines) => [lines.says('run.completed')],
  'execution.failed': (lines) => [lines.says('run.failed', { error: lines.event.error?.message ?? '' }, error)],
  'execution.cancelled': (lines) => [lines.says('run.cancelled', undefined, warning)],
};

/** Creates a system event without values. */
export const blankLine: Omit<ConsoleMessage, 'id' | 'timestamp'> = {
  type: 'system-event',
  agentId: null,
  agentTitle: null,
  role: null,
  toAgentTitle: null,
  text: '',
  event: null,
  isUser: false,
  isAI: false,
  isWarning: false,
  isError: false,
  simulated: false,
  executionId: null,
  stepId: null,
  cost: null,
};

function of(step: StepRun): Pick<ConsoleMessage, 'agentId' | 'agentTitle' | 'role' | 'stepId'> {
  return { agentId: step.agentId, agentTitle: step.name, role: step.role, stepId: step.stepId };
}

/** The step's name for a sentence, with its round and item where it ran more than once. */
function named({ name, round, item }: StepRun): NonNullable<Problem['params']> {
  return { agent: name, ...(round && { round: innermostRound(round) + 1 }), ...(item && { item }) };
}

/** Returns the marks that the end of a step tells. Events of the step have told the others, with what was left out or replaced. M2.27 */
function marksAtEnd({ marks = [] }: StepRun): StepMark[] {
  return lackingMarks.filter((mark) => marks.includes(mark));
}

/** Executed tests for a sentence: the agent, the command, and how it ended. */
function aboutTests(step: StepRun, run: TestRun): NonNullable<Problem['params']> {
  const { exitCode, ms, reason } = run;
  return {
    ...named(step),
    command: executedCommand(run),
    code: exitCode ?? '',
    seconds: Math.round((ms ?? 0) / 100) / 10,
    ...(reason && { reason }),
  };
}

/** A repeated call of a model for a sentence: another model is asked, or the same one again, at once or after a wait. */
function aboutRetry(step: StepRun, { error }: ExecutionEvent): [string, NonNullable<Problem['params']>] {
  const said = { ...named(step), attempt: step.attempts };
  if (step.marks?.includes('fallback') && !step.wait)
    return ['step.fallback', { ...said, model: step.model ?? '', error: error?.message ?? '' }];
  if (!step.wait) return ['step.retrying', said];
  return [
    'step.waits',
    { ...said, seconds: Math.ceil(step.wait.ms / 1_000), cause: step.wait.reason.code, error: step.wait.reason.message },
  ];
}

/** A call for a sentence: the agent, the tool, and what it is called with. */
function aboutCall(step: StepRun, { tool, args }: ToolCall): NonNullable<Problem['params']> {
  return { ...named(step), tool, about: callSubject(args) };
}

/** Returns the next step in order that began after this one had ended: parallel steps get no result of it. */
function after({ orderIndex, completedAt }: StepRun, steps: readonly StepRun[]): string | null {
  const next = steps.find(
    (candidate) =>
      candidate.orderIndex > orderIndex &&
      candidate.status !== 'skipped' &&
      (candidate.startedAt === null || completedAt === null || candidate.startedAt >= completedAt),
  );
  return next?.name ?? null;
}
