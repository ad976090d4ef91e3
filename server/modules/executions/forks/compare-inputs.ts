import { contextAccessLevels } from '../../../../contract/agent.ts';
import type { AskedRun, EarlierRun, ForkQuestion } from '../../../../rules/run-graph/plan-fork.ts';
import type { StepState } from '../../../../rules/run-graph/run-state.ts';
import type { Models } from '../../../platform/llm/choose-model.ts';
import { promptFormat } from '../../../platform/llm/prompt.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { type AgentModelConfig, contextFor } from '../../agents/index.ts';
import type { ProjectService } from '../../projects/index.ts';
import { type GivenRow, resultFrom, roundIn, turnInGraph, withFailures } from '../graph/graph-inputs.ts';
import type { StepRow } from '../store/rows.ts';
import { versionOfRun } from '../store/version-of-run.ts';
import { type ToolLoop, toolSettings } from '../tools/tool-loop.ts';
import type { ForkedPipeline } from './forked-pipeline.ts';
import { differenceOf, hashGiven, hashOf, hashPersonPrompt, hashPrompt, hashResult, hashSettings, readHash } from './input-hash.ts';
import type { Original } from './original-run.ts';
import { withTriedModel } from './tried-model.ts';

export type CompareDeps = { models: Models; tools: Pick<ToolLoop, 'toolsFor'>; projects: Pick<ProjectService, 'fetchHosts'> };

/** The hashes of the model and the tools that each step would get now; several where the tools depend on what the run has by then. */
export async function readSettings(
  { models, tools, projects }: CompareDeps,
  userId: OwnerId,
  { row }: Original,
  { bases, agents, team }: ForkedPipeline,
): Promise<Map<string, ReadonlySet<string>>> {
  const fetchHosts = await projects.fetchHosts(row.projectId, versionOfRun(team));
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const read = async (base: StepRow): Promise<ReadonlySet<string>> => {
    const agent = agents.get(base.agentId);
    if (!agent) return new Set();
    const settings = withTriedModel(agent, base.triedModel);
    const chosen = models.choose(settings, userId);
    if (!chosen.ok) return new Set();
    const files = row.inputSetId !== null ? [true] : row.hasFiles ? [false, true] : [false];
    const found = new Set<string>();
    for (const hasFiles of files) {
      const given = await tools.toolsFor({ row: { ...row, ...team, hasFiles }, step: base }, toolSettings(settings, fetchHosts));
      found.add(hashSettings(chosen.value, settings, given));
    }
    return found;
  };
  const settings = new Map<string, ReadonlySet<string>>();
  for (const base of bases.values()) {
    if (base.kind === 'person') continue;
    const key = JSON.stringify([base.agentId, base.triedModel]);
    let ofAgent = known.get(key);
    if (!ofAgent) {
      ofAgent = read(base);
      known.set(key, ofAgent);
    }
    settings.set(base.stepId, await ofAgent);
  }
  return settings;
}

type Comparing = {
  original: Original;
  pipeline: ForkedPipeline;
  settings: ReadonlyMap<string, ReadonlySet<string>>;
  rowOf: (run: EarlierRun) => StepRow;
};

/** Compares what a step was asked with then with what it would be asked with now. */
export function compareInputs({ original: { row, contexts }, pipeline, settings, rowOf }: Comparing): ForkQuestion['differs'] {
  const { compiled, bases, agents } = pipeline;
  const contextHashes = contexts.map(({ content }) => hashOf(content));
  const resultHashes = new Map<string, string>();

  /** A result as later steps are given it: with the names of now, and the edited text. */
  const givenRow = ({ keptOf }: AskedRun, { id, nodeId, item }: StepState): GivenRow[] => {
    const kept = keptOf(id);
    const base = bases.get(nodeId);
    if (!kept?.earlier || !base) return [];
    const { result, error, marks, testRun } = rowOf(kept.earlier);
    const given = kept.edit ? { result: kept.edit.result, marks: null } : { result, marks };
    return [{ stepId: id, agentTitle: base.agentTitle, role: base.role, item, error, testRun, ...given }];
  };

  /** The same results are given to many steps: each is hashed once. */
  const hashOfRuns = (asked: AskedRun, runs: StepState[]): string => {
    const all = withFailures(compiled, asked.state, runs);
    const key = `${all[0]?.id} ${all.length}`;
    const known =
      resultHashes.get(key) ?? hashResult({ ...resultFrom(all.flatMap((run) => givenRow(asked, run))), ...roundIn(compiled, runs) });
    resultHashes.set(key, known);
    return known;
  };

  return (asked) => {
    const { run, inputs, earlier, state } = asked;
    const base = bases.get(run.nodeId);
    const stored = readHash(rowOf(earlier).inputHash);
    if (!base || !stored) return 'unknown';
    const isPerson = base.kind === 'person';
    const agent = agents.get(base.agentId);
    const inGraph = turnInGraph({ compiled, state, run, inputs, titleOf: (nodeId) => bases.get(nodeId)?.agentTitle ?? '' });
    const all = { earlier: inputs.results.map((runs) => hashOfRuns(asked, runs)), contexts: isPerson ? [] : contextHashes };
    // Of a removed agent neither level nor model is known, and it need not work again.
    const levels: readonly Level[] = isPerson ? [contextAccessLevels.everything] : agent ? [agent.contextAccessLevel] : [3, 2, 1, 0];
    const isGivenTheSame = levels.some((level) =>
      // A step got the texts of the user that were there when it began.
      [...all.contexts, ''].some((_, count) => {
        const seen = contextFor(level, { ...all, contexts: all.contexts.slice(0, count) });
        return hashGiven({ row, results: seen.earlier, contexts: seen.contexts, inGraph }) === stored.given;
      }),
    );
    const hasSameSettings = isPerson || !agent || settings.get(base.stepId)?.has(stored.settings) === true;
    return differenceOf(stored, {
      format: promptFormat,
      settings: hasSameSettings ? stored.settings : '',
      prompt: isPerson ? hashPersonPrompt(compiled, run.nodeId) : hashPrompt(base),
      given: isGivenTheSame ? stored.given : '',
    });
  };
}

type Level = AgentModelConfig['contextAccessLevel'];
