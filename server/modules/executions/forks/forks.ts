import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Fork, ForkedStep } from '../../../../contract/executions/fork.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { CallerKey, Language, StoreIdempotentResponse } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import type { SqlFragment } from '../../../platform/database/statement.ts';
import { answerHeading } from '../../../platform/llm/answer-section.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { BudgetRow, Budgets } from '../../budgets/index.ts';
import { fileBlocksOf } from '../../files/index.ts';
import { logging } from '../store/change-statement.ts';
import { type StepRow, toExecution } from '../store/rows.ts';
import { tooManyRuns } from '../store/run-limit.ts';
import type { StoreNew } from '../store/store-new.ts';
import { type ModelTurnRow, storingTurn } from '../store/tool-call-rows.ts';
import { copyContexts, copyFiles, copyQuestions, type EditedFiles } from './copy-from-original.ts';
import { type MadeFork, makeFork } from './fork-rows.ts';
import type { ForkRequest } from './forked-pipeline.ts';
import type { NeedsDeps } from './needs-of-steps.ts';
import { type PlanDeps, type PlannedFork, planOfFork } from './plan-of-fork.ts';
import { showFork } from './show-fork.ts';

type ForksDeps = PlanDeps &
  NeedsDeps & {
    storeNew: StoreNew;
    queue: Pick<WorkQueue, 'wake'>;
    budgets: Pick<Budgets, 'ofNewRun' | 'ofFork'>;
  };

/** `key`: the API key of a program that asks. */
type Forking = { userId: OwnerId; id: string; asked: ForkRequest; language: Language; key: CallerKey | undefined };

/** Starts runs that keep what earlier runs have done. The original never changes. */
export function createForks(deps: ForksDeps) {
  const { newId, now, storeNew, queue } = deps;

  /**
   * Starts a fork, or says what it would do. `keep` is null for a call without an idempotency key. Throws as `planOfFork`. Throws
   * `fork_refused` for a fork that would run nothing, or a step whose agent was removed. Throws `bad_request` for a budget in a currency
   * that no price has.
   */
  return async (forking: Forking, keep: StoreIdempotentResponse | null): Promise<Fork> => {
    const { asked, language, userId, key } = forking;
    const planned = await planOfFork(deps, forking);
    const budget = await budgetOf(planned, forking);
    const shown = await showFork(deps, planned, asked);
    if (asked.dryRun) return { execution: null, ...shown };
    refuse(planned, shown.steps, forking);
    const jobId = newId();
    const made = makeFork(planned, { asked, jobId, key, now: now() });
    const edited = await Promise.all(
      made.kept.flatMap(({ from, to, isEdited }) => (isEdited ? [filesOf(planned.original.row.id, from, to)] : [])),
    );
    const { continued } = made;
    // The files of its answer come again with the whole answer; those that its calls have written stay.
    if (continued) edited.push({ to: continued.to, removed: fileBlocksOf(continued.from.result ?? '').files, added: [] });
    if (edited.some(({ added }) => added.length > 0)) made.row.hasFiles = true;
    const answer: Fork = { execution: toExecution(made.row), ...shown };
    const toRun = made.steps.filter(({ status }) => status === 'pending');
    const stored = await storeNew(
      {
        row: made.row,
        steps: made.steps,
        agentIds: [...new Set(toRun.map(({ agentId }) => agentId))],
        shownAgents: [...planned.pipeline.bases.values()],
        budget,
        also: alsoStored(planned, made, edited),
      },
      keep && ((tx) => keep(tx, answer)),
    );
    if (stored === 'too_many') throw tooManyRuns();
    // The original, or an agent, was removed meanwhile.
    if (stored === 'agent_removed') throw new ApiError('not_found');
    queue.wake('execution');
    return answer;

    function refuse(
      { plan, pipeline }: PlannedFork,
      steps: readonly ForkedStep[],
      { asked: { from, onlyStep, endsThere } }: Forking,
    ): void {
      const gone = steps.find(({ reason }) => reason === 'agentRemoved');
      const refused = (reason: string, sentence: string) => new ApiError('fork_refused', { sentence, details: { reason } });
      if (gone) throw refused('agent_removed', translate(language, 'fork.agent_removed', { step: gone.name }));
      const waiting = plan.runs.filter(({ run }) => run.status === 'pending');
      if (waiting.length === 0) throw refused('nothing_to_run', translate(language, 'fork.nothing_to_run'));
      if (!onlyStep && !endsThere) return;
      const path = onlyStep ? 'onlyStep' : 'endsThere';
      if (!from) throw new ApiError('bad_request', { errors: [{ path, message: translate(language, 'field.fork_only_step') }] });
      // Only the step itself may be ready: a run of single steps takes the first one. A run that ends with it begins no other one.
      const isChosen = waiting.some(({ reason }) => reason === 'chosen');
      const before = waiting.filter(({ reason }) => reason !== 'chosen' && reason !== 'follows');
      const others = endsThere && isChosen ? [] : before;
      if (others.length === 0 && isChosen) return;
      const name = pipeline.bases.get(others[0]?.run.nodeId ?? '')?.name ?? '';
      throw refused('step_waits', translate(language, 'fork.step_waits', { step: name }));
    }

    function alsoStored({ original }: PlannedFork, { row, kept, continued, event }: MadeFork, edited: readonly EditedFiles[]) {
      return {
        parent: { id: original.row.id, userId },
        writes: [
          storeEvent(event),
          copyContexts(original.row.id),
          ...(kept.length > 0 ? [copyQuestions(row, kept)] : []),
          ...(row.hasFiles ? [copyFiles(original.row.id, continued ? [...kept, continued] : kept, edited)] : []),
          ...(continued ? [storingTurn(turnOfCut(continued, row))] : []),
        ],
      };
    }
  };

  async function budgetOf({ id, original }: PlannedFork, { userId, asked, language }: Forking): Promise<BudgetRow | null> {
    if (asked.budget) return deps.budgets.ofNewRun({ userId, executionId: id, budget: asked.budget }, language);
    return deps.budgets.ofFork(userId, id, original.row);
  }

  async function filesOf(originalId: string, from: StepRow, to: StepRow): Promise<EditedFiles> {
    const { files: added } = await deps.filesInAnswer(originalId, to.result ?? '');
    return { to, removed: fileBlocksOf(from.result ?? '').files, added };
  }
}

export type Forks = ReturnType<typeof createForks>;

/** The text of a cut answer as its model wrote it, so that the model goes on from its end. */
function turnOfCut({ from, to }: NonNullable<MadeFork['continued']>, { language, createdAt }: MadeFork['row']): ModelTurnRow {
  const text = `${answerHeading(language)}\n\n${from.result ?? ''}`;
  return { executionId: to.executionId, stepId: to.stepId, turn: 0, text, usage: null, opaque: null, summary: null, createdAt };
}

function storeEvent(event: ExecutionEvent): SqlFragment {
  return (stored, place) => logging(stored, [event], place);
}
