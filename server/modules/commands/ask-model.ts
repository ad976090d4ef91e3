import { stepTimeoutSeconds } from '../../../contract/executions/pipeline.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import type { ModelFailure } from '../../platform/llm/language-model.ts';
import { startPausableTimer } from '../../platform/llm/pausable-timer.ts';
import type { AgentModelConfig } from '../agents/index.ts';
import { createCallMeter, type Metering, type SpendRow } from '../budgets/index.ts';
import { type FailureAbout, failureFor } from '../executions/index.ts';
import { askCommand } from './ask-command.ts';
import { chooseForCommand } from './choose-for-command.ts';
import { type BegunCommand, type Ending, unanswered } from './rows.ts';

type AskModelDeps = {
  models: Models;
  metering: Metering;
  bus: Pick<Bus, 'publish' | 'subscribe'>;
  /** The delay before the first retry of a model call (ms). */
  backoffMs: number;
};

/** How the command ends, and the model's thoughts, if it sent any. */
export type Answered = { ending: Ending; thoughts: string | null; spend?: readonly SpendRow[] };

/** The time limit of a command: that of a run's step (s). */
const timeoutSeconds = stepTimeoutSeconds;

/**
 * Answers a command with the agent's model. `modelConfig` is null for a removed agent. Returns null when `dropped` has aborted: this
 * node has lost the command and must not write to it.
 */
export function createAskModel({ models, metering, bus, backoffMs }: AskModelDeps) {
  return async (row: BegunCommand, modelConfig: AgentModelConfig | null, dropped: AbortSignal): Promise<Answered | null> => {
    const about: FailureAbout = {
      agent: modelConfig?.title ?? row.agentId,
      provider: modelConfig?.providerType ?? '',
      seconds: timeoutSeconds,
    };
    const { settings, chosen } = modelConfig
      ? chooseForCommand(models, row, modelConfig, metering.now())
      : { settings: null, chosen: { ok: false, error: { code: 'model_not_configured', transient: false } } as const };
    const begun = elapsed();
    const failed = (error: ModelFailure, facts: Partial<Ending> = {}): Answered => ({
      ending: {
        ...unanswered,
        ...facts,
        status: 'failed',
        executionTimeMs: Math.round(elapsed() - begun),
        error: failureFor(error, row.language, about),
      },
      thoughts: null,
    });
    if (!settings || !chosen.ok) return failed(chosen.ok ? { code: 'model_not_configured', transient: false } : chosen.error);

    const { userId, projectId, hasBudget } = row;
    const meter = createCallMeter(chosen.value, metering, { payer: { userId, projectId, step: null, commandId: row.id }, hasBudget });
    const { model } = meter;
    const outOfTime = new AbortController();
    const timer = startPausableTimer(timeoutSeconds * 1_000, () => outOfTime.abort());
    const stop = () => outOfTime.abort();
    dropped.addEventListener('abort', stop);
    const calling = { bus, backoffMs, signal: outOfTime.signal, onWait: timer.pause, restMs: timer.leftMs };
    const outcome = await askCommand(row, settings, model, calling).finally(() => {
      timer.stop();
      dropped.removeEventListener('abort', stop);
    });
    if (dropped.aborted) return null;
    const { spend } = meter.take();
    const facts = { provider: model.provider, model: model.model };
    about.host = model.host;
    if (!outcome.ok)
      return { ...failed(outOfTime.signal.aborted ? { code: 'step_timeout', transient: false } : outcome.error, facts), spend };
    const { text, finish, usage, thoughts } = outcome.value;
    return {
      ending: {
        ...unanswered,
        ...facts,
        status: 'completed',
        simulated: model.simulated,
        usage,
        finish: finish === 'stop' ? finish : 'length',
        result: text,
        executionTimeMs: Math.round(elapsed() - begun),
      },
      thoughts,
      spend,
    };
  };
}

export type AskModel = ReturnType<typeof createAskModel>;
