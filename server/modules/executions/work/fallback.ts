import { isFailureOf } from '../../../platform/llm/kinds-of-failure.ts';
import type { LanguageModel, ModelRequest } from '../../../platform/llm/language-model.ts';
import type { AgentModelConfig } from '../../agents/index.ts';
import { failureFor } from '../store/failure-texts.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import type { AnsweredStep } from './ask-until-chosen.ts';
import type { StepModels } from './step-models.ts';

/**
 * Whether a step goes on with its agent's second connection: after limited requests and their waits, errors of the server, time-outs, and where the account of the
 * first one is spent. Never after a call that may have changed something outside.
 */
export function takesFallback(
  { outcome, ending, about }: Pick<AnsweredStep, 'outcome' | 'ending' | 'about'>,
  { fallback }: Pick<AgentModelConfig, 'fallback'>,
): boolean {
  if (fallback === null || outcome.ok || ending !== null || about.hasEffect) return false;
  const { code } = outcome.error;
  return code === 'model_quota_spent' || isFailureOf(code, ['away', 'slow']);
}

type Fallback = { claim: Claim; model: LanguageModel; request: ModelRequest };

type Having = {
  models: StepModels;
  settings: AgentModelConfig;
  ends: Pick<StepEnds, 'progress'>;
  /** Returns the request for a model: one that sees gets images. */
  prepare: (model: LanguageModel) => Promise<ModelRequest>;
};

/**
 * Asks the second connection of an agent after a failure of the first one, and says so. Returns null where it is not asked, and `left` when the step
 * was left meanwhile.
 */
export async function askFallback(
  failed: AnsweredStep,
  { models, settings, ends, prepare }: Having,
  ask: (fallback: Fallback) => Promise<AnsweredStep | null>,
): Promise<AnsweredStep | 'left' | null> {
  const { claim, outcome } = failed;
  if (outcome.ok || !takesFallback(failed, settings)) return null;
  const model = models.choose(settings.fallback);
  // A second connection that cannot be used leaves the failure of the first one.
  if ('code' in model) return null;
  const error = failureFor(outcome.error, claim.row.language, { agent: claim.step.agentTitle, host: failed.model.host });
  const { provider, model: name } = model;
  const told = await ends.progress(claim, async (it, step) => {
    const marks = [...(step.marks ?? []).filter((mark) => mark !== 'fallback'), 'fallback' as const];
    it.record('step.retrying', { step: await it.setStep(step, { provider, model: name, marks }), error });
  });
  if (!told) return 'left';
  const answered = await ask({ claim: told, model, request: await prepare(model) });
  return answered ? { ...answered, about: { ...answered.about, marks: [...answered.about.marks, 'fallback'] } } : 'left';
}
