import type { Failure } from '../../../../contract/errors.ts';
import { chosenLabel } from '../../../../rules/run-graph/choose-links.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import type { Models } from '../../../platform/llm/choose-model.ts';
import { answerLimit } from '../../../platform/llm/fit/answer-limit.ts';
import type { LanguageModel, ModelAnswer, ModelFailure, ModelRequest } from '../../../platform/llm/language-model.ts';
import type { AgentModelConfig } from '../../agents/index.ts';
import type { Metering, ReadStepLimits, ReadStepSettings } from '../../budgets/index.ts';
import type { InputsOfRuns } from '../../inputs/index.ts';
import type { RunTool } from '../../tools/index.ts';
import { hashInput } from '../forks/input-hash.ts';
import { withTriedModel } from '../forks/tried-model.ts';
import { handleReachedLimit } from '../questions/handle-reached-limit.ts';
import { type FailureAbout, failureFor, internalFailure } from '../store/failure-texts.ts';
import type { StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';
import { versionOfRun } from '../store/version-of-run.ts';
import type { TestRuns } from '../test-runs/test-runs.ts';
import { type Room, roomOf } from '../tools/step-room.ts';
import { type ToolLoop, toolSettings } from '../tools/tool-loop.ts';
import { withReads } from '../tools/with-reads.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import { type AskStepDeps, createAskStep } from './ask-step.ts';
import { type AnsweredStep, askUntilChosen, keepParts } from './ask-until-chosen.ts';
import type { StoreCancelledCost } from './cancelled-cost.ts';
import { executeTests } from './execute-tests.ts';
import { askFallback } from './fallback.ts';
import { StepModels } from './step-models.ts';
import { isTestedFirst, requestOf } from './step-request.ts';

type StepRunnerDeps = AskStepDeps & {
  models: Models;
  /** Reads the settings of a step's agent, and whether budgets may apply. */
  readSettings: ReadStepSettings;
  /** Reads the most turns and calls of a step. */
  readStepLimits: ReadStepLimits;
  /** Stores what the calls of a step cost that was cancelled meanwhile. */
  storeCancelledCost: StoreCancelledCost;
  /** Counts what model calls cost. */
  metering: Metering;
  /** Returns the files of a run for a prompt. */
  inputs: Pick<InputsOfRuns, 'forPrompt'>;
  tools: ToolLoop;
  tests: TestRuns;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
  /** A clock that never jumps (ms). */
  elapsed: () => number;
};

/** The maximum of all answers of one run together (UTF-16 units): a reader of the run gets all of them in one response. */
const maxRunAnswers = 16 * 1024 * 1024;

/** A step while its attempt works on it. */
type Working = { claim: Claim; signal: AbortSignal; ends: StepEnds };

/** How a step is asked: by its agent's settings, with a model whose calls are counted. */
type Prepared = {
  models: StepModels;
  model: LanguageModel;
  settings: AgentModelConfig;
  request: ModelRequest;
  tools: readonly RunTool[];
  labels: readonly string[];
  inputHash: string;
  about: FailureAbout;
  /** The most turns and calls of the step, as they were read with its settings. */
  room: Room;
};

/** Runs single steps of executions. */
export class StepRunner {
  readonly #deps: StepRunnerDeps;
  readonly #ask;

  constructor(deps: StepRunnerDeps) {
    this.#deps = deps;
    this.#ask = createAskStep(deps);
  }

  /** Runs a step and stores its outcome. A step whose `signal` aborts (its attempt lost the job, or the run was stopped) stores nothing. */
  async carryOut(claim: Claim, signal: AbortSignal, ends: StepEnds): Promise<void> {
    const { row, step } = claim;
    try {
      await this.#askAndStore({ claim, signal, ends });
    } catch (error) {
      if (signal.aborted) return;
      this.#deps.log.error({ err: error, executionId: row.id, stepId: step.stepId }, 'A step failed by a fault of the server.');
      const failure = internalFailure(row.language, { agent: step.agentTitle });
      await ends.failed(claim, { failure, durationMs: 0 });
    }
  }

  async #askAndStore(working: Working): Promise<void> {
    const { claim, signal, ends } = working;
    const pending = await retryOnOutage(() => this.#deps.tests.pending(claim), signal);
    if (pending) return executeTests(this.#deps.tests, { claim, pending, command: claim.step.testRun?.command ?? '' }, signal, ends);
    const prepared = await this.#prepare(working);
    if (!prepared) return;
    const { models, model, settings, request, tools, labels } = prepared;
    const begun = this.#deps.elapsed();
    const { mayGoWithoutTools } = settings;
    const room = this.#roomReader(working, prepared.room);
    const asking = { signal, ends, tools, mayGoWithoutTools, paid: (step: StepRow) => models.paid(step), room };
    let answered = await askUntilChosen(this.#ask, { ...asking, claim, model, request }, labels);
    if (!answered) return;
    const spentMs = this.#deps.elapsed() - begun;
    const again = await askFallback(
      answered,
      { models, settings, ends, prepare: (other) => this.#withFiles(working, settings, other) },
      (fallback) => askUntilChosen(this.#ask, { ...asking, ...fallback, opaqueFrom: fallback.claim.step.turns, spentMs }, labels),
    );
    if (again === 'left') return;
    answered = keepParts(again ?? answered);
    return this.#store(working, prepared, answered, Math.round(this.#deps.elapsed() - begun));
  }

  /** Reads what a step is asked with. Fails the step, and returns null, where it has no model. */
  async #prepare({ claim, signal, ends }: Working): Promise<Prepared | null> {
    const { row, step } = claim;
    const lasting = <T>(work: () => Promise<T>) => retryOnOutage(work, signal);
    const { userId, projectId, id: executionId } = row;
    const teamVersionId = versionOfRun(row);
    const read = () => lasting(() => this.#deps.readSettings({ userId, projectId, executionId, agentId: step.agentId, teamVersionId }));
    const { modelConfig: ofAgent, hasBudget, fetchHosts, ...ofProject } = claim.settings ?? (await read());
    const settings = ofAgent && withTriedModel(ofAgent, step.triedModel);
    const about: FailureAbout = { agent: step.agentTitle, provider: settings?.providerType ?? '' };
    const models = new StepModels(this.#deps, claim, hasBudget);
    const model = models.choose(settings);
    if ('code' in model || !settings) {
      const error: ModelFailure = 'code' in model ? model : { code: 'model_not_configured', transient: false };
      await ends.failed(claim, { failure: failureFor(error, row.language, about), durationMs: 0 });
      return null;
    }
    const request = await this.#withFiles({ claim, signal, ends }, settings, model);
    const tools = await lasting(() => this.#deps.tools.toolsFor(claim, toolSettings(settings, fetchHosts)));
    const { earlier, contexts, inGraph } = request;
    const inputHash = hashInput({ row, step, model, settings, tools, earlier, contexts, inGraph });
    const labels = inGraph?.choices.map((choice) => choice.label) ?? [];
    const room = roomOf(settings.work, ofProject);
    return { models, model, settings, request, tools, labels, inputHash, about: { ...about, host: model.host }, room };
  }

  /** Reads the room of a step before each of its turns: before the first one it was read with its settings. */
  #roomReader({ claim, signal }: Working, first: Room): () => Promise<Room> {
    const { row, step } = claim;
    let known: Room | null = first;
    return async () => {
      if (known === null) {
        const { work, project } = await retryOnOutage(
          () => this.#deps.readStepLimits({ projectId: row.projectId, agentId: step.agentId, teamVersionId: versionOfRun(row) }),
          signal,
        );
        return roomOf(work, project);
      }
      const now = known;
      known = null;
      return now;
    };
  }

  async #withFiles({ claim, signal }: Working, settings: AgentModelConfig, model: LanguageModel): Promise<ModelRequest> {
    const { inputSetId, initialTask } = claim.row;
    const shown = { task: initialTask, sees: model.sees };
    const files = inputSetId === null ? null : await retryOnOutage(() => this.#deps.inputs.forPrompt(inputSetId, shown), signal);
    const testedBy =
      model.simulated && isTestedFirst(claim)
        ? await retryOnOutage(() => this.#deps.tests.commandOf(claim.row.projectId, versionOfRun(claim.row)), signal)
        : null;
    const maxTokens = answerLimit({ ...settings, model: model.model, window: model.contextWindow ?? null });
    return { ...requestOf(claim, { ...settings, maxTokens }), ...(files && { inputs: files }), ...(testedBy !== null && { testedBy }) };
  }

  async #store(
    { signal, ends }: Working,
    { models, settings, request, labels, inputHash, about }: Prepared,
    answered: AnsweredStep,
    durationMs: number,
  ): Promise<void> {
    const { claim, outcome, ending, model } = answered;
    const facts = { durationMs, provider: model.provider, model: model.model, inputHash };
    const failed = (failure: Failure) => ends.failed(claim, { failure, ...facts, ...models.paid(claim.step) });
    if (ending === 'abandoned') {
      const spent = models.paid(claim.step);
      if (spent.usage !== claim.step.usage) await this.#deps.storeCancelledCost(claim, spent).catch(() => {});
      return;
    }
    if (outcome.ok) {
      const { language } = claim.row;
      if (answersLength(claim) + outcome.value.text.length > maxRunAnswers)
        return failed(failureFor({ code: 'run_answers_too_long' }, language, about));
      const answer = answerOf(answered, outcome.value, labels, { ...facts, ...models.paid(claim.step) });
      if (settings.work.fileAccess !== 'write') answer.mayNotWrite = true;
      if (request.inputs) answer.readFiles = withReads(claim.step.readFiles, request.inputs.texts);
      const { thoughts } = outcome.value;
      const plan = await retryOnOutage(() => this.#deps.tests.planFor(claim, answer), signal);
      if (plan.kind === 'execute')
        return executeTests(this.#deps.tests, { claim, pending: { answer, thoughts }, command: plan.command }, signal, ends);
      if (plan.kind === 'none') return ends.completed(claim, answer, { thoughts });
      return ends.completed(claim, { ...answer, testRun: plan.run }, { thoughts, testLog: plan.log });
    }
    const { error } = outcome;
    if (error.limit) {
      const reached = { limit: error.limit, atLimit: error.atLimit ?? 'ask', ...models.paid(claim.step) };
      return ends.suspended(claim, (it, suspended) => handleReachedLimit(it, suspended, reached));
    }
    return failed(failureOf(answered, error, { ...about, host: model.host }));
  }
}

type AnswerFacts = Pick<StepAnswer, 'durationMs' | 'provider' | 'model' | 'inputHash' | 'cost' | 'spend'>;

function answerOf(
  { claim, model, about }: AnsweredStep,
  { text, usage }: ModelAnswer,
  labels: readonly string[],
  facts: AnswerFacts,
): StepAnswer {
  const label = labels.length > 0 ? { label: chosenLabel(text, labels) } : {};
  const isUndecided = label.label === null && !claim.inputs?.inGraph.hasOtherwise;
  return {
    ...facts,
    result: text,
    usage,
    simulated: model.simulated,
    ...label,
    ...(isUndecided && { isUndecided }),
    ...(about.marks.length > 0 && { marks: about.marks }),
    ...(about.lastWrite && { lastWrite: about.lastWrite }),
  };
}

function answersLength({ steps }: Claim): number {
  return steps.reduce((sum, { result }) => sum + (result?.length ?? 0), 0);
}

function failureOf({ ending, claim: { row, step } }: AnsweredStep, error: ModelFailure, about: FailureAbout): Failure {
  if (ending === 'step_timeout') return failureFor({ code: ending }, row.language, { ...about, seconds: step.timeoutSeconds });
  if (ending === 'execution_timeout') return failureFor({ code: ending }, row.language, { ...about, seconds: row.timeoutSeconds });
  return failureFor(error, row.language, about);
}
