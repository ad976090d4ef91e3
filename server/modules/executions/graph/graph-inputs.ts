import { executedCommand } from '../../../../contract/executions/test-run.ts';
import { hasOtherwise, labelsOf, linksOutOf } from '../../../../rules/run-graph/choose-links.ts';
import { inputsOf, type StepInputs } from '../../../../rules/run-graph/inputs-of.ts';
import { type CompiledGraph, loopsAround, regionsAround, roundOf } from '../../../../rules/run-graph/run-graph.ts';
import type { RunState, StepState } from '../../../../rules/run-graph/run-state.ts';
import type { EarlierResult, EarlierTests, TurnInGraph } from '../../../platform/llm/language-model.ts';
import type { StepRow } from '../store/rows.ts';
import { maxLogEnd } from '../store/test-run-rows.ts';
import { toStepState } from './step-states.ts';

/** The input of a step of a graph: earlier results, and the required parts of its answer. */
export type GraphInputs = { earlier: EarlierResult[]; inGraph: TurnInGraph };

/** What the input of other steps is made of. */
export type GivenRow = Pick<StepRow, 'stepId' | 'agentTitle' | 'role' | 'item' | 'result' | 'error' | 'marks' | 'testRun'>;

type RunRows = { compiled: CompiledGraph; state: RunState; task: string; steps: readonly StepRow[] };

/** Returns the input of a step, from all steps of its execution. */
export function graphInputs({ compiled, state, task, steps }: RunRows, step: StepRow): GraphInputs {
  const byId = new Map(steps.map((other) => [other.stepId, other]));
  const run = toStepState(step);
  const resultOf = ({ id }: StepState) => byId.get(id)?.result ?? '';
  const around = new Set(loopsAround(compiled, run.nodeId).flatMap(({ nodes }) => [...nodes]));
  const earlierRounds = steps.map(toStepState).filter(({ nodeId }) => around.has(nodeId));
  const inputs = inputsOf(state, run, earlierRounds, { task, resultOf });
  const inGraph = turnInGraph({ compiled, state, run, inputs, titleOf: (nodeId) => byId.get(nodeId)?.agentTitle ?? '' });
  return {
    earlier: inputs.results.map((runs) => ({
      ...resultFrom(withFailures(compiled, state, runs).flatMap(({ id }) => byId.get(id) ?? [])),
      ...roundIn(compiled, runs),
    })),
    inGraph: { ...inGraph, ...(step.revision && { revision: step.revision }) },
  };
}

type Turn = { compiled: CompiledGraph; state: RunState; run: StepState; inputs: StepInputs; titleOf: (nodeId: string) => string };

/** Returns what a step must answer and works on, without a draft that a person sent back. */
export function turnInGraph({ compiled, state, run, inputs: { item, notAccepted }, titleOf }: Turn): TurnInGraph {
  const links = linksOutOf(compiled, run.nodeId);
  const labels = labelsOf(compiled, run.nodeId);
  return {
    choices: labels.map((label) => ({ label, leadsBack: links.some((link) => link.label === label && link.maxRounds !== undefined) })),
    hasOtherwise: hasOtherwise(compiled, run.nodeId),
    isList: links.some(({ to }) => entersList(compiled, run.nodeId, to)),
    round: Math.max(0, ...loopsAround(compiled, run.nodeId).map((loop) => state.roundOf(loop, run.item))),
    item,
    notAccepted: notAccepted.map(({ nodeId, rounds }) => ({ agent: titleOf(nodeId), rounds })),
  };
}

/** The round of the innermost loop around a result, from 1; nothing outside of a loop. */
export function roundIn(compiled: CompiledGraph, [first]: readonly StepState[]): Pick<EarlierResult, 'round'> {
  return first && loopsAround(compiled, first.nodeId).length > 0 ? { round: roundOf(first.round, 0) + 1 } : {};
}

/** Returns the runs of a step for all items, with the failed ones where the list shows them. */
export function withFailures(compiled: CompiledGraph, state: RunState, runs: StepState[]): StepState[] {
  const [first] = runs;
  if (!first || first.item === 0) return runs;
  const list = regionsAround(compiled, first.nodeId).find(({ kind }) => kind === 'list');
  if (list?.onFailure !== 'goOn') return runs;
  const failed = state.runsOf(first.nodeId).filter(({ status }) => status === 'failed');
  return [...runs, ...failed].sort((a, b) => a.item - b.item);
}

/** Returns the answer of a step, or the answers for all items as one numbered list. */
export function resultFrom(rows: readonly GivenRow[]): EarlierResult {
  const [first] = rows;
  if (!first) throw new Error('A result has no step.');
  const { agentTitle: title, role } = first;
  const cut = rows.some(({ marks }) => marks?.includes('cut')) ? { isCut: true as const } : {};
  const tests = testsOf(rows);
  const executed = tests.length > 0 ? { tests } : {};
  if (rows.length === 1 && first.item === 0) return { title, role, text: first.result ?? '', ...cut, ...executed };
  const known = lists.get(first);
  if (known?.rows.length === rows.length && known.rows.every((row, at) => row === rows[at])) return known.list;
  const text = rows.map(({ item, result, error }) => `${item}. ${(result ?? error?.message ?? '').replaceAll('\n', '\n   ')}`).join('\n\n');
  const list = { title, role, text, ...cut, ...executed };
  lists.set(first, { rows, list });
  return list;
}

/** Returns what was executed for rows. The tests of several items share the length of one log. */
export function testsOf(rows: readonly Pick<GivenRow, 'item' | 'testRun'>[]): EarlierTests[] {
  const executed = rows.flatMap(({ item, testRun }) => (testRun && testRun.state !== 'running' ? [{ item, testRun }] : []));
  return executed.map(({ item, testRun: { command, filter, exitCode, reason, missing, counts, simulated, byAgent, logEnd = '' } }) => ({
    item,
    command: executedCommand({ command, filter }),
    exitCode,
    reason,
    missing: missing ?? null,
    counts: counts ?? null,
    isSimulated: simulated === true,
    isByAgent: byAgent === true,
    log: logEnd.slice(-Math.floor(maxLogEnd / executed.length)).toWellFormed(),
  }));
}

/** Lists by the row of their first item: branches that get the same list do not each hold a copy of all its answers. */
const lists = new WeakMap<GivenRow, { rows: readonly GivenRow[]; list: EarlierResult }>();

function entersList(compiled: CompiledGraph, from: string, to: string): boolean {
  return regionsAround(compiled, to).some(({ kind, nodes }) => kind === 'list' && !nodes.has(from));
}
