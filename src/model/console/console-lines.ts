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
export function consoleLines(event: ExecutionEvent, run: Pick<RunState, 'execution' | 'steps'>): ConsoleMessage[] {
  const line = (part: Partial<ConsoleMessage>, suffix = ''): ConsoleMessage => ({
    ...blankLine,
    id: `${event.executionId}:${event.seq}${suffix}`,
    timestamp: event.at,
    executionId: event.executionId,
    ...part,
  });
  const says = (code: string, params?: Problem['params'], flags: Partial<ConsoleMessage> = {}, suffix = '') =>
    line({ event: params ? { code, params } : { code }, ...flags }, suffix);
  const testLine = (step: StepRun, run: TestRun) => {
    const hasPassed = run.exitCode === 0;
    const code = run.simulated ? 'simulated' : run.command === '' ? 'none' : run.state;
    return says(`test.${code}`, aboutTests(step, run), { ...of(step), ...(!hasPassed && { isWarning: true }) }, ':tests');
  };
  const first = run.steps[0];
  switch (event.type) {
    case 'execution.started':
      return [
        line({ type: 'message', isUser: true, text: run.execution?.initialTask ?? '', toAgentTitle: first?.name ?? null }, ':task'),
        says('run.started', { count: stepCount(run.steps).total }),
      ];
    case 'step.started':
      return event.step ? [says('step.started', named(event.step), of(event.step))] : [];
    case 'step.retrying':
      return event.step ? [says(...aboutRetry(event.step, event), { ...of(event.step), isWarning: true })] : [];
    case 'step.continued':
      return event.step ? [says('step.continued', named(event.step), of(event.step))] : [];
    case 'test.started':
      return event.step?.testRun ? [says('test.started', aboutTests(event.step, event.step.testRun), of(event.step))] : [];
    case 'step.completed': {
      if (!event.step) return [];
      const { step } = event;
      const tested = step.testRun ? [testLine(step, step.testRun)] : [];
      if (!step.result?.trim()) return [says('agent.noResult', named(step), { ...of(step), isWarning: true })];
      return [
        line(
          {
            ...of(step),
            type: 'message',
            isAI: true,
            text: step.result,
            toAgentTitle: after(step, run.steps),
            simulated: step.simulated,
          },
          ':result',
        ),
        ...tested,
        ...marksAtEnd(step).map((mark) => says('step.mark', { ...named(step), mark }, { ...of(step), isWarning: true }, `:${mark}`)),
        says('task.completed', named(step), of(step)),
      ];
    }
    case 'step.failed': {
      if (!event.step) return [];
      const failure = event.step.error ?? event.error;
      const flags = { ...of(event.step), isError: true };
      const lines = [says('task.failed', named(event.step), flags)];
      if (failure)
        lines.push(says('console.failed', { ...named(event.step), cause: failure.code, error: failure.message }, flags, ':cause'));
      return lines;
    }
    case 'step.cancelled':
      return event.step ? [says('task.cancelled', named(event.step), { ...of(event.step), isWarning: true })] : [];
    case 'step.round':
      return [says('run.round', { round: Number(event.text ?? 0) })];
    case 'step.items':
      return [says('run.items', { count: Number(event.text ?? 0) })];
    case 'step.skipped':
      return [says('run.stepsSkipped', { count: event.changedSteps?.length ?? 0 })];
    case 'step.reused':
      return [says('run.stepsReused', { count: event.changedSteps?.filter(({ status }) => status === 'reused').length ?? 0 })];
    case 'step.charged':
    case 'step.waiting':
    case 'question.withdrawn':
    case 'holds.changed':
      return [];
    case 'tool.called':
      // A call is one line, when it is asked for; what a person decides has lines of its own.
      return event.step && event.call?.state === 'pending' ? [says('tool.called', aboutCall(event.step, event.call), of(event.step))] : [];
    case 'tool.ended':
      return event.step && event.call && event.call.state !== 'done'
        ? [says(`tool.${event.call.state}`, aboutCall(event.step, event.call), { ...of(event.step), isWarning: true })]
        : [];
    case 'tools.refused':
      return event.step ? [says('tools.refused', named(event.step), { ...of(event.step), isWarning: true })] : [];
    case 'prompt.shortened':
      return event.step?.shortened
        ? [says('prompt.shortened', { ...named(event.step), ...event.step.shortened }, { ...of(event.step), isWarning: true })]
        : [];
    case 'question.opened':
      return [says('run.questionOpened', { agent: event.question?.title ?? '' }, { isWarning: true })];
    case 'question.answered':
      return [says('run.questionAnswered', { agent: event.question?.title ?? '' })];
    case 'question.expired':
      return [says('run.questionExpired', { agent: event.question?.title ?? '' }, { isWarning: true })];
    case 'context.added':
      // A run that has not started contains the results of the run that it follows, which the console has already.
      if (event.status === 'pending' && !run.execution?.startedAt) return [says('run.resultsHandedOn')];
      return [line({ type: 'message', isUser: true, text: event.text ?? '' }, ':context'), says('run.contextAdded')];
    case 'execution.pausing':
      return [says('run.pausing')];
    case 'execution.paused':
      return [says('run.paused')];
    case 'execution.resumed':
      return [says('run.resumed')];
    case 'execution.completed':
      return [says('run.completed')];
    case 'execution.failed':
      return [says('run.failed', { error: event.error?.message ?? '' }, { isError: true })];
    case 'execution.cancelled':
      return [says('run.cancelled', undefined, { isWarning: true })];
    default:
      return event.type satisfies never;
  }
}

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
