import { chosenLabel } from '../../../../rules/run-graph/choose-links.ts';
import type { LanguageModel, ModelOutcome } from '../../../platform/llm/language-model.ts';
import type { AboutTurns } from '../tools/tool-loop.ts';
import type { Claim } from '../transitions/claim.ts';
import type { AskedOutcome, AskedStep, AskStep, Ending } from './ask-step.ts';
import { askedAgain } from './step-request.ts';

/** A step whose model has answered or failed. */
export type AnsweredStep = { claim: Claim; outcome: ModelOutcome; about: AboutTurns; ending: Ending | null; model: LanguageModel };

/** Asks a step's model, once more where its answer lacks a choice that it must make. Returns null when the step was left. */
export async function askUntilChosen(ask: AskStep, asked: AskedStep, labels: readonly string[]): Promise<AnsweredStep | null> {
  const { model } = asked;
  const first = answeredOf(await ask(asked), model);
  if (!first?.outcome.ok || labels.length === 0 || chosenLabel(first.outcome.value.text, labels) !== null) return first;
  return answeredOf(await ask({ ...asked, claim: first.claim, request: askedAgain(asked.request) }), model);
}

function answeredOf({ loop, ending }: AskedOutcome, model: LanguageModel): AnsweredStep | null {
  return loop.kind === 'left' ? null : { claim: loop.claim, outcome: loop.outcome, about: loop.about, ending, model };
}

/**
 * Completes a step with the parts of its answer when it could not go on with them: its model failed, its time is over, or a budget is used up. It is
 * marked as cut. A step that was stopped has no answer.
 */
export function keepParts(answered: AnsweredStep): AnsweredStep {
  const { outcome, about, ending } = answered;
  if (outcome.ok || ending === 'abandoned' || !about.unfinished) return answered;
  return { ...answered, outcome: { ok: true, value: about.unfinished }, ending: null, about: { ...about, marks: [...about.marks, 'cut'] } };
}
