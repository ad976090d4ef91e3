import { createHash } from 'node:crypto';
import { maxSteps } from '../../../../contract/executions/pipeline.ts';
import { type TestRun, testVerdict } from '../../../../contract/executions/test-run.ts';
import { caseByTests, testsFiles } from '../../../../rules/run-graph/choose-links.ts';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import type { CompiledGraph, RunGraph } from '../../../../rules/run-graph/run-graph.ts';
import { RunState } from '../../../../rules/run-graph/run-state.ts';
import { settleChain } from '../../../../rules/run-graph/settle-chain.ts';
import { type AddedRun, type Settlement, settleRun } from '../../../../rules/run-graph/settle-run.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import { type GraphInputs, graphInputs } from './graph-inputs.ts';
import { originOf, toStepState } from './step-states.ts';

const compiledGraphs = new WeakMap<RunGraph, CompiledGraph>();

export function compiledOf(graph: RunGraph): CompiledGraph {
  const known = compiledGraphs.get(graph);
  if (known) return known;
  const made = compileRunGraph(graph);
  if (!made.ok) throw new Error(`The graph of a run is broken: ${made.problems[0]?.code}`);
  compiledGraphs.set(graph, made.compiled);
  return made.compiled;
}

/** Returns what follows from the steps of a run. A run without a stored graph is a chain, whose rule needs no graph. */
export function settleSteps(
  { id, graph, initialTask }: Pick<ExecutionRow, 'id' | 'graph' | 'initialTask'>,
  rows: readonly StepRow[],
): Settlement {
  if (graph === null) return settleChain(rows, toStepState);
  const byId = new Map(rows.map((row) => [row.stepId, row]));
  return settleRun({
    compiled: compiledOf(graph),
    steps: rows.map(toStepState),
    task: initialTask,
    resultOf: (step) => byId.get(step.id)?.result ?? '',
    newId: (added) => idOfRun(id, added),
    maxRuns: maxSteps,
  });
}

/** Returns how to find the input of a step, from all steps of its execution: of a running step the same as at its start. */
export function inputsOfSteps(graph: RunGraph, task: string, steps: readonly StepRow[]): (step: StepRow) => GraphInputs {
  const compiled = compiledOf(graph);
  const state = new RunState(compiled, steps.map(toStepState));
  return (step) => graphInputs({ compiled, state, task, steps }, step);
}

/** The end of a step: the files of its answer, and how to read the earlier ones of the run. */
type EndedWith = {
  result: string;
  label: string | null;
  files: readonly { path: string }[];
  testRun: TestRun | null;
  held: () => Promise<readonly { path: string }[]>;
};

/**
 * Returns the case that a step's answer chooses: by its tests of data, else the label that the agent named. Reads the files of the run
 * only where a link tests for one. A chain has no cases.
 */
export async function choiceOf(
  graph: RunGraph | null,
  step: Pick<StepRow, 'stepId' | 'pipelineStepId'>,
  { result, label, files, testRun, held }: EndedWith,
): Promise<string | null> {
  if (graph === null) return null;
  const compiled = compiledOf(graph);
  const nodeId = originOf(step);
  const existing = testsFiles(compiled, nodeId) ? [...(await held()), ...files] : [];
  const paths = new Set(existing.map(({ path }) => path));
  const byTests = caseByTests(compiled, nodeId, { result, hasFile: (path) => paths.has(path), tests: testRun && testVerdict(testRun) });
  return byTests === undefined ? label : byTests;
}

/** Whether a failure of this step ends the run. */
export function failureEndsRun(graph: RunGraph | null, step: Pick<StepRow, 'stepId' | 'pipelineStepId'>): boolean {
  return graph === null || new RunState(compiledOf(graph), []).endsRun(originOf(step));
}

/** Returns the id of a run of a step. It is a hash of round and item, so a repeated change writes the same row. */
export function idOfRun(executionId: string, { nodeId, round, item }: AddedRun): string {
  const hash = createHash('sha256').update(`${executionId}:${nodeId}:${round}:${item}`).digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
