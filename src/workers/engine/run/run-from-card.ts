import type { ExecutionDetails, StepRun } from '../../../../contract/executions/execution.ts';
import type { ForkRequest } from '../../../../contract/executions/fork.ts';
import type { CommandResult } from '../../../model/commands.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { type CardResults, knowsAllBefore, lastRunOfCard } from '../../../model/run/last-run-of-card.ts';
import { isUnderWay } from '../../../model/workspace-state.ts';
import { isMissing, refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CommandOf } from '../engine-module.ts';
import type { ForkPipeline } from './fork-pipeline.ts';
import { forkRun } from './fork-run.ts';
import type { RunFollower } from './run-follower.ts';

type CardParts = { follower: RunFollower; forkPipeline: ForkPipeline };

/** The newest runs that are looked at for results of a card; some of the listed ones are under way. */
const maxRunsRead = 10;
const maxRunsListed = 20;

/**
 * Runs a card again with the last results: with what follows it, or alone. All other results are kept, whatever has changed meanwhile. Fails
 * with `run.noResults` where no run has results for the card: the task is asked then. Fails with `run.severalItems` for a card that ran for the
 * items of a list: which one runs again is chosen in its run. D4.27 D4.28
 */
export async function runFromCard(
  context: EngineContext,
  parts: CardParts,
  command: CommandOf<'run.fromCard'>,
): Promise<Outcome<CommandResult>> {
  const outcome = await forkFromCard(context, parts, command);
  // No form is open that could say it.
  if (!outcome.ok && outcome.error.code !== 'run.noResults') context.notices.show(outcome.error, 'warning');
  return outcome;
}

async function forkFromCard(
  context: EngineContext,
  { follower, forkPipeline }: CardParts,
  { nodeId, alone }: CommandOf<'run.fromCard'>,
): Promise<Outcome<CommandResult>> {
  const { store } = context;
  const { phase } = store.state.run;
  if (phase !== 'stopped') return failed('run.active');
  if (store.working.node(nodeId)?.disabled) return failed('run.cardDisabled');
  const found = await lastRun(context, nodeId, { goesOn: !alone });
  if (!found.ok) return found;
  if (!found.value) return failed('run.noResults');
  const { executionId, isOwn, hasInput, steps, othersIn } = found.value;
  if (steps.some(({ item = 0 }) => item > 0)) return failed('run.severalItems', { card: steps[0]?.name ?? '' });
  // A card that ran on a task of its own does so again: on the canvas it would wait for results that no run has.
  const isByItself = alone && isOwn && !hasInput;
  const stored = isByItself ? done : await forkPipeline.store(executionId, { goesOn: !alone });
  if (!stored.ok) return stored;
  const from = placeOf(steps.at(-1)) ?? forkPipeline.placeOf(nodeId);
  if (!from) {
    await forkPipeline.drop();
    return failed('run.noResults');
  }
  const pipelineId = stored.value?.pipelineId;
  const request: ForkRequest = { from, graph: 'now', keepsResults: true, endsThere: alone };
  if (pipelineId !== undefined) request.pipelineId = pipelineId;
  if (othersIn.length > 0 && !isByItself) request.resultsFrom = othersIn;
  const forked = await forkRun(context, follower, { type: 'run.fork', executionId, request: forkPipeline.asked(request) });
  if (forked.ok) forkPipeline.taken(pipelineId);
  else await forkPipeline.drop();
  return forked;
}

/** The newest ended run that has results for a card; null for none. Older runs are read for results of cards before it that newer ones lack. */
async function lastRun(context: EngineContext, nodeId: string, { goesOn }: { goesOn: boolean }): Promise<Outcome<CardResults | null>> {
  const { store, backend } = context;
  const { project } = store.state;
  if (!project) return failed('workspace.opening');
  const listed = await backend.call('execution.list', { query: { projectId: project.id, limit: maxRunsListed } });
  if (!listed.ok) return refusal(listed.fault);
  const ended = listed.value
    .filter((execution) => !isUnderWay(execution))
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  const read: ExecutionDetails[] = [];
  for (const { id } of ended.slice(0, maxRunsRead)) {
    const details = await backend.call('execution.details', { params: { id } });
    if (details.ok) read.push(details.value);
    else if (!isMissing(details.fault)) return refusal(details.fault);
    const found = lastRunOfCard(store.document, nodeId, read, { goesOn });
    if (found?.isOwn && knowsAllBefore(store.document, nodeId, read)) break;
  }
  return { ok: true, value: lastRunOfCard(store.document, nodeId, read, { goesOn }) };
}

function placeOf(step: StepRun | undefined): ForkRequest['from'] {
  return step ? { stepId: step.stepId, round: step.round ?? 0, item: step.item ?? 0 } : null;
}
