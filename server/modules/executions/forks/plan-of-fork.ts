import { setImmediate as turn } from 'node:timers/promises';
import type { ForkPlace } from '../../../../contract/executions/fork.ts';
import { maxSteps } from '../../../../contract/executions/pipeline.ts';
import { type TestVerdict, testVerdict } from '../../../../contract/executions/test-run.ts';
import { caseByTests, chosenLabel, labelsOf, testsFiles } from '../../../../rules/run-graph/choose-links.ts';
import { type EarlierRun, type EditedRun, type ForkPlan, planFork } from '../../../../rules/run-graph/plan-fork.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { type FilesInAnswer, fileBlocksOf } from '../../files/index.ts';
import { idOfRun } from '../graph/compiled-graph.ts';
import { failureFor } from '../store/failure-texts.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import { type CompareDeps, compareInputs, readSettings } from './compare-inputs.ts';
import { type ForkedPipeline, type ForkRequest, readForkedPipeline } from './forked-pipeline.ts';
import { withNewestResults } from './newest-results.ts';
import { type EarlierRuns, earlierRuns, type Original, pathsAt, readOriginal } from './original-run.ts';

export type PlanDeps = CompareDeps &
  Parameters<typeof readForkedPipeline>[0] & {
    db: Db;
    repository: Pick<ExecutionRepository, 'whole'>;
    filesInAnswer: FilesInAnswer;
    newId: () => string;
  };

/** A fork before its start. */
export type PlannedFork = { id: string; original: Original; pipeline: ForkedPipeline; earlier: EarlierRuns; plan: ForkPlan };

type Forking = { userId: OwnerId; id: string; asked: ForkRequest; language: Language };

/**
 * Plans a fork of one of the user's runs. Throws `not_found`, and `illegal_state` for a run that has not ended. Throws `bad_request` for a
 * step that the run never had, or an edit after which the run could not go on.
 */
export async function planOfFork(deps: PlanDeps, { userId, id, asked, language }: Forking): Promise<PlannedFork> {
  const own = await readOriginal(deps.db, deps.repository, userId, id);
  const pipeline = await readForkedPipeline(deps, userId, own, asked);
  const original = await withOthers(deps, { userId, own, pipeline, asked });
  const earlier = earlierRuns(original, pipeline.stepFor);
  const forkId = deps.newId();

  const find = (place: { stepId: string; round: number; item: number }, path: string): EarlierRun => {
    const row = original.steps.find(
      ({ stepId, pipelineStepId, round, item }) =>
        (stepId === place.stepId || pipelineStepId === place.stepId) && round === place.round && item === place.item,
    );
    if (!row) throw wrong(path, translate(language, 'field.fork_step_missing'));
    if (row.status === 'skipped') throw wrong(path, translate(language, 'field.fork_step_skipped', { step: row.name }));
    const run = earlier.runOf(row);
    if (!run) throw wrong(path, translate(language, 'field.fork_step_removed', { step: row.name }));
    return run;
  };
  const from = asked.from && (addedStep(pipeline, original, asked.from) ?? find(asked.from, 'from'));
  if (asked.continues && !(asked.from && earlier.rowOf(find(asked.from, 'from')).marks?.includes('cut')))
    throw wrong('continues', translate(language, 'field.fork_not_cut'));
  const base = from && pipeline.bases.get(from.nodeId);
  if (base && asked.model) {
    if (base.kind === 'person') throw wrong('model', translate(language, 'field.fork_model_person'));
    pipeline.bases.set(from.nodeId, { ...base, triedModel: asked.model });
  }
  const edits = await Promise.all(
    asked.edits.map((edit, at) => editOf(deps, { original, pipeline, earlier, run: find(edit, `edits.${at}`), result: edit.result })),
  );
  const settings = await readSettings(deps, userId, original, pipeline);
  const planning = planFork({
    compiled: pipeline.compiled,
    task: original.row.initialTask,
    earlier: earlier.runs,
    from,
    edits,
    maxRuns: maxSteps,
    followsLinks: asked.graph === 'then' || asked.keepsResults,
    filesMayDiffer: asked.keepsResults,
    differs: asked.keepsResults ? () => null : compareInputs({ original, pipeline, settings, rowOf: earlier.rowOf }),
    choiceOf: (run) => (asked.graph === 'then' ? run.choice : choiceNow(original, pipeline, earlier, run)),
    newId: (added) => idOfRun(forkId, added),
  });
  let step = planning.next();
  for (; !step.done; step = planning.next()) await turn();
  const plan = step.value;

  if (plan.failure) {
    const agent = pipeline.bases.get(plan.failure.nodeId)?.agentTitle ?? '';
    throw wrong(edits.length > 0 ? 'edits' : 'from', failureFor({ code: plan.failure.code }, language, { agent }).message);
  }
  const applied = plan.runs.filter(({ reason }) => reason === 'edited').length;
  if (applied < edits.length) throw wrong('edits', translate(language, 'field.fork_edit_lost'));
  return { id: forkId, original, pipeline, earlier, plan };
}

/** The original with the newest results of other runs. A run that is gone, that has not ended, or of another project has none. */
async function withOthers(
  { db, repository }: PlanDeps,
  { userId, own, pipeline, asked }: { userId: OwnerId; own: Original; pipeline: ForkedPipeline; asked: ForkRequest },
): Promise<Original> {
  if (asked.graph !== 'now' || !asked.keepsResults) return own;
  const { stepId: chosen } = asked.from ?? {};
  const from = own.steps.find(({ stepId, pipelineStepId }) => stepId === chosen || pipelineStepId === chosen) ?? null;
  let merged = own;
  // One after another: of each run only what is newer stays in memory.
  for (const id of new Set(asked.resultsFrom)) {
    const other = id === own.row.id ? null : await readOriginal(db, repository, userId, id).catch(nullIfRefused);
    if (other?.row.projectId === own.row.projectId) merged = withNewestResults(merged, other, { stepFor: pipeline.stepFor, from });
  }
  return merged;
}

function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}

/** A step of the fork's pipeline that the original never had. */
function addedStep({ bases }: ForkedPipeline, { steps }: Original, { stepId, round, item }: ForkPlace): EarlierRun | null {
  const isKnown = steps.some((row) => row.stepId === stepId || row.pipelineStepId === stepId);
  if (isKnown || !bases.has(stepId) || round > 0 || item > 0) return null;
  return { nodeId: stepId, round, item, status: 'pending', choice: null, result: '', begunAt: 0, endedAt: 0, readFrom: [] };
}

function wrong(path: string, message: string): ApiError {
  return new ApiError('bad_request', { errors: [{ path, message }] });
}

type Editing = { original: Original; pipeline: ForkedPipeline; earlier: EarlierRuns; run: EarlierRun; result: string };

/** An edited result, with the case that it chooses: by the tests of its links, else by its label, else as before. */
async function editOf({ filesInAnswer }: PlanDeps, { original, pipeline, earlier, run, result }: Editing): Promise<EditedRun> {
  const { nodeId, round, item } = run;
  const paths = pathsAt(original, earlier, run, { without: fileBlocksOf(run.result).files });
  for (const { path } of (await filesInAnswer(original.row.id, result)).files) paths.add(path);
  const byTests = caseByTests(pipeline.compiled, nodeId, { result, hasFile: (path) => paths.has(path), tests: testsOf(earlier, run) });
  const labels = labelsOf(pipeline.compiled, nodeId);
  const isPerson = pipeline.bases.get(nodeId)?.kind === 'person';
  const byLabel = isPerson || labels.length === 0 ? null : chosenLabel(result, labels);
  return { nodeId, round, item, result, choice: byTests === undefined ? (byLabel ?? run.choice) : byTests };
}

/** Tests of links can have changed; labels are part of what the agent was asked with. */
function choiceNow(original: Original, { compiled }: ForkedPipeline, earlier: EarlierRuns, run: EarlierRun): string | null {
  const paths = testsFiles(compiled, run.nodeId) ? pathsAt(original, earlier, run) : new Set<string>();
  const tested = { result: run.result, hasFile: (path: string) => paths.has(path), tests: testsOf(earlier, run) };
  const byTests = caseByTests(compiled, run.nodeId, tested);
  return byTests === undefined ? run.choice : byTests;
}

/** How the tests ended that were executed after a run of the original. */
function testsOf(earlier: EarlierRuns, run: EarlierRun): TestVerdict {
  const { testRun } = earlier.rowOf(run);
  return testRun && testVerdict(testRun);
}
