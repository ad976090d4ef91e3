import { setTimeout as wait } from 'node:timers/promises';
import type { Failure } from '../../../../contract/errors.ts';
import { addCosts } from '../../../../rules/cost/cost-of.ts';
import { chosenLabel } from '../../../../rules/run-graph/choose-links.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { streamText } from '../../../platform/bus/stream-text.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import type { Models } from '../../../platform/llm/choose-model.ts';
import type { LanguageModel, ModelFailure, ModelOutcome, ModelRequest } from '../../../platform/llm/language-model.ts';
import { startPausableTimer } from '../../../platform/llm/pausable-timer.ts';
import { createCallMeter, type Metering, type ReadStepSettings } from '../../budgets/index.ts';
import type { InputsOfRuns } from '../../inputs/index.ts';
import type { RunTool } from '../../tools/index.ts';
import { hashInput } from '../forks/input-hash.ts';
import { withTriedModel } from '../forks/tried-model.ts';
import { handleReachedLimit } from '../questions/handle-reached-limit.ts';
import { type FailureAbout, failureFor, internalFailure } from '../store/failure-texts.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import type { PendingAnswer, StepAnswer } from '../store/step-answer.ts';
import { sumUsage } from '../store/sum-usage.ts';
import { storingPendingAnswer } from '../store/test-run-rows.ts';
import type { TestRuns } from '../test-runs/test-runs.ts';
import type { ToolLoop, ToolLoopOutcome } from '../tools/tool-loop.ts';
import { withReads } from '../tools/with-reads.ts';
import { storeSpend } from '../transitions/change-steps.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import type { Paid } from '../transitions/end-run.ts';
import { callModel } from './call-model.ts';
import type { StoreCancelledCost } from './cancelled-cost.ts';
import { askedAgain, requestOf } from './step-request.ts';

export type StepRunnerDeps = {
  bus: Bus;
  models: Models;
  /** Reads the settings of a step's agent, and whether budgets may apply. */
  readSettings: ReadStepSettings;
  /** Stores what the calls of a step cost that was cancelled meanwhile. */
  storeCancelledCost: StoreCancelledCost;
  /** Counts what model calls cost. */
  metering: Metering;
  /** Returns the files of a run for a prompt. */
  inputs: Pick<InputsOfRuns, 'forPrompt'>;
  tools: ToolLoop;
  tests: TestRuns;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
  /** The delay before the first retry of a model call (ms). */
  backoffMs: number;
  /** A clock that never jumps (ms). */
  elapsed: () => number;
};

/** The maximum of all answers of one run together (UTF-16 units): a reader of the run gets all of them in one response. */
const maxRunAnswers = 16 * 1024 * 1024;

/** The answer of a tester whose tests are to be executed. */
type TestsOfStep = { claim: Claim; pending: PendingAnswer; command: string };

type Ending = 'step_timeout' | 'execution_timeout' | 'abandoned';

/** Runs single steps of executions. */
export function createStepRunner(deps: StepRunnerDeps) {
  const { bus } = deps;

  /** Runs a step and stores its outcome. A step whose `signal` aborts (its attempt lost the job, or the run was stopped) stores nothing. */
  async function carryOutOrFail(claim: Claim, signal: AbortSignal, ends: StepEnds): Promise<void> {
    const { row, step } = claim;
    try {
      await carryOut(claim, signal, ends);
    } catch (error) {
      if (signal.aborted) return;
      deps.log.error({ err: error, executionId: row.id, stepId: step.stepId }, 'A step failed by a fault of the server.');
      const failure = internalFailure(row.language, { agent: step.agentTitle });
      await ends.failed(claim, { failure, durationMs: 0 });
    }
  }

  async function carryOut(taken: Claim, signal: AbortSignal, ends: StepEnds): Promise<void> {
    let claim = taken;
    const lasting = <T>(work: () => Promise<T>) => retryOnOutage(work, signal);
    const { row, step } = claim;
    const pending = await lasting(() => deps.tests.pending(claim));
    if (pending) return executeTests({ claim, pending, command: step.testRun?.command ?? '' }, signal, ends);
    const { userId, projectId, id: executionId } = row;
    const read = () => lasting(() => deps.readSettings({ userId, projectId, executionId, agentId: step.agentId }));
    const { modelConfig: ofAgent, hasBudget, fetchHosts } = claim.settings ?? (await read());
    const settings = ofAgent && withTriedModel(ofAgent, step.triedModel);
    const chosen = settings
      ? deps.models.choose(settings, row.userId)
      : ({ ok: false, error: { code: 'model_not_configured', transient: false } } as const);
    const about: FailureAbout = { agent: step.agentTitle, provider: settings?.providerType ?? '' };
    if (!chosen.ok || !settings) {
      const failure = failureFor(chosen.ok ? { code: 'model_not_configured' } : chosen.error, row.language, about);
      return ends.failed(claim, { failure, durationMs: 0 });
    }

    const payer = { userId, projectId, step: { executionId, ...stepOfPayer(step) } };
    const { unpricedAllowed } = row;
    const meter = createCallMeter(chosen.value, deps.metering, { payer, hasBudget, unpricedAllowed, isCutOff: claim.isCutOff ?? false });
    const { model } = meter;
    const files = row.inputSetId === null ? null : await lasting(() => deps.inputs.forPrompt(row.inputSetId as string, model.sees));
    const request = { ...requestOf(claim, settings), ...(files && { inputs: files }) };
    const paid = (step: StepRow): Paid => {
      const { cost, usages, spend } = meter.take();
      const usage = usages.length === 0 ? step.usage : sumUsage([step, ...usages.map((one) => ({ usage: one }))]);
      return { cost: addCosts([step.cost, cost]), usage, spend };
    };
    const begun = deps.elapsed();
    const labels = claim.inputs?.inGraph.choices.map((choice) => choice.label) ?? [];
    const tools = await lasting(() => deps.tools.toolsFor(claim, model, { hasServerTools: settings.hasTools, fetchHosts }));
    const inputHash = hashInput({
      row,
      step,
      model,
      settings,
      tools,
      earlier: request.earlier,
      contexts: request.contexts,
      inGraph: request.inGraph,
    });
    const asked = { model, request, tools, signal, ends, paid };
    let { loop, ending } = await ask({ ...asked, claim });
    if (loop.kind === 'left') return;
    claim = loop.claim;
    if (loop.outcome.ok && labels.length > 0 && chosenLabel(loop.outcome.value.text, labels) === null) {
      ({ loop, ending } = await ask({ ...asked, claim, request: askedAgain(request) }));
      if (loop.kind === 'left') return;
      claim = loop.claim;
    }
    const { outcome } = loop;
    const durationMs = Math.round(deps.elapsed() - begun);
    if (ending === 'abandoned') {
      const spent = paid(claim.step);
      if (spent.usage !== claim.step.usage) await deps.storeCancelledCost(claim, spent).catch(() => {});
      return;
    }
    if (!outcome.ok && outcome.error.limit) {
      const reached = { limit: outcome.error.limit, atLimit: outcome.error.atLimit ?? 'ask', ...paid(claim.step) };
      return ends.suspended(claim, (it, suspended) => handleReachedLimit(it, suspended, reached));
    }
    if (outcome.ok) {
      const { text, thoughts, usage } = outcome.value;
      const { provider, simulated } = model;
      if (answersLength(claim) + text.length > maxRunAnswers) {
        const failure = failureFor({ code: 'run_answers_too_long' }, row.language, about);
        const spent = paid(claim.step);
        return ends.failed(claim, { failure, durationMs, provider, model: model.model, ...spent, inputHash });
      }
      const label = labels.length > 0 ? { label: chosenLabel(text, labels) } : {};
      const isUndecided = label.label === null && !claim.inputs?.inGraph.hasOtherwise;
      const answer: StepAnswer = {
        ...{ ...paid(claim.step), result: text, usage, provider, model: model.model, simulated, durationMs, inputHash },
        ...{ ...label, ...(isUndecided && { isUndecided }) },
        ...(files && { readFiles: withReads(claim.step.readFiles, files.texts) }),
      };
      const command = await lasting(() => deps.tests.commandFor(claim));
      if (command !== null) return executeTests({ claim, pending: { answer, thoughts }, command }, signal, ends);
      return ends.completed(claim, answer, { thoughts });
    }
    const failure = failureOf(outcome.error, ending, row, step, { ...about, host: model.host });
    const spent = paid(claim.step);
    return ends.failed(claim, { failure, durationMs, provider: model.provider, model: model.model, ...spent, inputHash });
  }

  /** Stores the answer of a tester, has the tests executed, and stores the answer with their end. */
  async function executeTests(
    { claim, pending: { answer, thoughts }, command }: TestsOfStep,
    signal: AbortSignal,
    ends: StepEnds,
  ): Promise<void> {
    const begun = deps.tests.begun(command);
    const started = await ends.progress(claim, async (it, step) => {
      storeSpend(it, answer.spend);
      it.addWrite(storingPendingAnswer(step, { answer: { ...answer, spend: [] }, thoughts }));
      it.record('test.started', { step: await it.setStep(step, { testRun: begun, cost: answer.cost, usage: answer.usage }) });
    });
    if (!started) return;
    const limit = deps.tests.timeFor(started, answer.durationMs);
    const ended = await deps.tests.execute({ ...started, answer: answer.result, limit }, begun, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (!ended) return;
    const whole = { ...answer, spend: [], durationMs: answer.durationMs + (ended.run.ms ?? 0), testRun: ended.run };
    await ends.completed(started, whole, { thoughts, testLog: ended.log });
  }

  /** Calls the model, and the tools that it calls, until it answers, fails, is stopped or exceeds its time. */
  async function ask(asked: {
    claim: Claim;
    model: LanguageModel;
    request: ModelRequest;
    tools: readonly RunTool[];
    signal: AbortSignal;
    ends: StepEnds;
    paid: (step: StepRow) => Paid;
  }): Promise<{ loop: ToolLoopOutcome; ending: Ending | null }> {
    const { claim, model, signal, ends } = asked;
    const { row, step } = claim;
    const controller = new AbortController();
    const abandon = () => controller.abort('abandoned');
    signal.addEventListener('abort', abandon);
    if (signal.aborted) abandon();
    const left = new AbortController();
    const leftMs = Math.max(0, row.timeoutSeconds * 1_000 - row.activeMs);
    const stepMs = step.timeoutSeconds * 1_000;
    const timeOut = () => controller.abort(leftMs < stepMs ? 'execution_timeout' : 'step_timeout');
    const timer = startPausableTimer(Math.min(leftMs, stepMs), timeOut);
    const { agentId, stepId } = step;
    const { simulated } = model;
    const partial = streamText(bus, row.userId, { agentId, projectId: row.projectId, executionId: row.id, stepId, simulated });
    try {
      const call = (request: ModelRequest): Promise<ModelOutcome> => {
        if (request.turns) partial.restart();
        return callModel({
          model,
          request,
          signal: controller.signal,
          onText: partial.add,
          onWait: timer.pause,
          onRetry: (error) => {
            partial.restart();
            return retrying(claim, model, error, ends);
          },
          backoffMs: deps.backoffMs,
          wait: (ms, signal) => wait(ms, undefined, { signal }),
        });
      };
      const lasting = <T>(work: () => Promise<T>) => retryOnOutage(work, signal);
      // Without tools there are no sessions that have to end with the step.
      const sessions = asked.tools.length === 0 ? controller.signal : AbortSignal.any([controller.signal, left.signal]);
      const loop = await deps.tools.runTurns({ ...asked, signal: sessions, call, lasting });
      return { loop, ending: loop.kind === 'answered' && !loop.outcome.ok ? endingOf(controller.signal) : null };
    } finally {
      partial.stop();
      timer.stop();
      signal.removeEventListener('abort', abandon);
      // Sessions with tool servers end with the step, or while it waits for a person. The model's own connection may outlive it.
      left.abort('ended');
    }
  }

  function retrying(claim: Claim, model: LanguageModel, error: ModelFailure, ends: StepEnds): Promise<void> {
    const failure = failureFor(error, claim.row.language, { agent: claim.step.agentTitle, host: model.host });
    return ends.retrying(claim, failure);
  }

  return { carryOut: carryOutOrFail };
}

export type StepRunner = ReturnType<typeof createStepRunner>;

function stepOfPayer({ stepId, round, item, attempts }: StepRow) {
  return { stepId, round, item, attempt: attempts };
}

function answersLength({ steps }: Claim): number {
  return steps.reduce((sum, { result }) => sum + (result?.length ?? 0), 0);
}

function endingOf(signal: AbortSignal): Ending | null {
  return signal.aborted ? (signal.reason as Ending) : null;
}

function failureOf(error: ModelFailure, ending: Ending | null, row: ExecutionRow, step: StepRow, about: FailureAbout): Failure {
  if (ending === 'step_timeout') return failureFor({ code: ending }, row.language, { ...about, seconds: step.timeoutSeconds });
  if (ending === 'execution_timeout') return failureFor({ code: ending }, row.language, { ...about, seconds: row.timeoutSeconds });
  return failureFor(error, row.language, about);
}
