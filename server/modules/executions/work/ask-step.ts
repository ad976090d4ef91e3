import type { Bus } from '../../../platform/bus/bus.ts';
import { streamText } from '../../../platform/bus/stream-text.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import type { Conversation, LanguageModel, ModelFailure, ModelOutcome, ModelRequest } from '../../../platform/llm/language-model.ts';
import { startPausableTimer } from '../../../platform/llm/pausable-timer.ts';
import { withRetries } from '../../../platform/llm/with-retries.ts';
import type { RunTool } from '../../tools/index.ts';
import { failureFor } from '../store/failure-texts.ts';
import type { StepRow } from '../store/rows.ts';
import { partsOfAnswer } from '../tools/continued-answer.ts';
import type { Room } from '../tools/step-room.ts';
import type { ToolLoop, ToolLoopOutcome } from '../tools/tool-loop.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import type { Paid } from '../transitions/end-run.ts';

export type AskStepDeps = {
  bus: Bus;
  tools: Pick<ToolLoop, 'runTurns'>;
  /** The delay before the first retry of a model call (ms). */
  backoffMs: number;
};

/** A step with the model that it asks. */
export type AskedStep = {
  claim: Claim;
  model: LanguageModel;
  request: ModelRequest;
  tools: readonly RunTool[];
  mayGoWithoutTools: boolean;
  /** The number of the first turn of this model, if another one had those before. */
  opaqueFrom?: number;
  /** The time that other models have used of the step (ms). */
  spentMs?: number;
  signal: AbortSignal;
  ends: StepEnds;
  paid: (step: StepRow) => Paid;
  /** Returns the most turns and calls of the step, as they are set now. */
  room: () => Promise<Room>;
};

/** Why a step was stopped before its model had answered. */
export type Ending = 'step_timeout' | 'execution_timeout' | 'abandoned';

export type AskedOutcome = { loop: ToolLoopOutcome; ending: Ending | null };

export type AskStep = (asked: AskedStep) => Promise<AskedOutcome>;

/** Calls the model, and the tools that it calls, until it answers, fails, is stopped or exceeds its time. */
export function createAskStep({ bus, tools, backoffMs }: AskStepDeps): AskStep {
  return async ({ spentMs = 0, ...asked }) => {
    const { claim, model, signal, ends } = asked;
    const { row, step } = claim;
    const controller = new AbortController();
    const abandon = () => controller.abort('abandoned');
    signal.addEventListener('abort', abandon);
    if (signal.aborted) abandon();
    const left = new AbortController();
    const leftMs = Math.max(0, row.timeoutSeconds * 1_000 - row.activeMs);
    const stepMs = Math.max(0, step.timeoutSeconds * 1_000 - spentMs);
    const timeOut = () => controller.abort(leftMs < stepMs ? 'execution_timeout' : 'step_timeout');
    const timer = startPausableTimer(Math.min(leftMs, stepMs), timeOut);
    const { agentId, stepId } = step;
    const { simulated } = model;
    const partial = streamText(bus, row.userId, { agentId, projectId: row.projectId, executionId: row.id, stepId, simulated });
    /** Shows the parts of an answer that goes on, and nothing of earlier turns. */
    const restart = ({ turns = [] }: ModelRequest) => {
      partial.restart();
      partial.add(
        partsOfAnswer(turns)
          .map(({ text }) => text)
          .join(''),
      );
    };
    const retrying = (request: ModelRequest | null, error: ModelFailure, waitMs: number): Promise<void> => {
      if (request) restart(request);
      return ends.retrying(claim, failureFor(error, row.language, { agent: step.agentTitle, host: model.host }), waitMs);
    };
    const retries = (request: ModelRequest | null) => ({
      signal: controller.signal,
      onRetry: (error: ModelFailure, waitMs: number) => retrying(request, error, waitMs),
      backoffMs,
      restMs: timer.leftMs,
    });
    try {
      const call = (request: ModelRequest): Promise<ModelOutcome> => {
        if (request.turns) restart(request);
        const onText = (text: string) => partial.add(text);
        return withRetries(() => model.answer(request, controller.signal, onText, timer.pause), retries(request));
      };
      const converse = (conversation: Conversation): Promise<ModelOutcome> =>
        withRetries(() => model.converse(conversation, controller.signal, () => {}, timer.pause), retries(null));
      const lasting = <T>(work: () => Promise<T>) => retryOnOutage(work, signal);
      // Without tools there are no sessions that have to end with the step.
      const sessions = asked.tools.length === 0 ? controller.signal : AbortSignal.any([controller.signal, left.signal]);
      const loop = await tools.runTurns({ ...asked, signal: sessions, call, converse, leftMs: timer.leftMs, lasting });
      return { loop, ending: loop.kind === 'answered' && !loop.outcome.ok ? endingOf(controller.signal) : null };
    } finally {
      partial.stop();
      timer.stop();
      signal.removeEventListener('abort', abandon);
      // Sessions with tool servers end with the step, or while it waits for a person. The model's own connection may outlive it.
      left.abort('ended');
    }
  };
}

function endingOf(signal: AbortSignal): Ending | null {
  return signal.aborted ? (signal.reason as Ending) : null;
}
