import { createHash } from 'node:crypto';
import type { ForkReason } from '../../../../contract/executions/fork.ts';
import { labelsOf } from '../../../../rules/run-graph/choose-links.ts';
import type { CompiledGraph } from '../../../../rules/run-graph/run-graph.ts';
import type { EarlierResult, LanguageModel, TurnInGraph } from '../../../platform/llm/language-model.ts';
import { promptFormat } from '../../../platform/llm/prompt.ts';
import type { AgentModelConfig } from '../../agents/index.ts';
import type { RunTool } from '../../tools/index.ts';
import type { GraphInputs } from '../graph/graph-inputs.ts';
import { originOf } from '../graph/step-states.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';

/**
 * The hash of everything that a step was asked with: the prompt's format, model and tools, the agent, and what was handed over. The last
 * three have a hash each. What a person has added to a question of the step (a draft that was sent back) is not part of it.
 */
type InputHash = { format: number; settings: string; prompt: string; given: string };

function writeHash({ format, settings, prompt, given }: InputHash): string {
  return [format, settings, prompt, given].join('.');
}

/** Reads a stored hash; null for none. */
export function readHash(stored: string | null): InputHash | null {
  const [format = '', settings = '', prompt = '', given] = stored?.split('.') ?? [];
  return given === undefined ? null : { format: Number(format), settings, prompt, given };
}

/** Returns why two hashes differ: the part that comes first in the life of a step. Null for equal ones. */
export function differenceOf(one: InputHash, other: InputHash): ForkReason | null {
  if (one.prompt !== other.prompt) return 'prompt';
  if (one.settings !== other.settings) return 'settings';
  if (one.format !== other.format) return 'format';
  return one.given === other.given ? null : 'input';
}

type HashedInput = {
  row: GivenRow;
  step: Pick<StepRow, 'systemPrompt' | 'role' | 'agentTitle'>;
  model: ModelOfStep;
  settings: SettingsOfStep;
  tools: readonly ToolOfStep[];
  earlier: readonly EarlierResult[];
  contexts: readonly string[];
  inGraph: TurnInGraph | undefined;
};
type GivenRow = Pick<ExecutionRow, 'initialTask' | 'language' | 'inputSetId'>;
type ModelOfStep = Pick<LanguageModel, 'provider' | 'model' | 'host'>;
type SettingsOfStep = Pick<AgentModelConfig, 'temperature' | 'maxTokens' | 'effort'>;
type ToolOfStep = Pick<RunTool, 'name' | 'description' | 'parameters'>;

/** Returns the hash of a request to an agent, for the row of its step. */
export function hashInput({ row, step, model, settings, tools, earlier, contexts, inGraph }: HashedInput): string {
  return writeHash({
    format: promptFormat,
    settings: hashSettings(model, settings, tools),
    prompt: hashPrompt(step),
    given: hashGiven({ row, results: earlier.map(hashResult), contexts: contexts.map((text) => hashOf(text)), inGraph }),
  });
}

/** Returns the hash of a question to a person, for the row of its step. */
export function hashPerson(row: GivenRow, compiled: CompiledGraph, step: StepRow, { earlier, inGraph }: GraphInputs): string {
  return writeHash({
    format: promptFormat,
    settings: noSettings,
    prompt: hashPersonPrompt(compiled, originOf(step)),
    given: hashGiven({ row, results: earlier.map(hashResult), contexts: [], inGraph }),
  });
}

/** A person has no model. */
const noSettings = 'person';

export function hashPersonPrompt(compiled: CompiledGraph, nodeId: string): string {
  return hashOf(compiled.nodes.get(nodeId)?.person ?? null, labelsOf(compiled, nodeId));
}

export function hashSettings({ provider, model, host }: ModelOfStep, settings: SettingsOfStep, tools: readonly ToolOfStep[]): string {
  const { temperature, maxTokens, effort } = settings;
  const known = tools.map(({ name, description, parameters }) => [name, description, parameters]);
  return hashOf(provider, model, host, temperature, maxTokens, effort, known);
}

export function hashPrompt({ systemPrompt, role, agentTitle }: HashedInput['step']): string {
  return hashOf(systemPrompt, role, agentTitle);
}

/** The hash of one result that is handed over. */
export function hashResult({ title, role, text, round, isCut, tests }: EarlierResult): string {
  return hashOf(title, role, text, round ?? null, isCut === true, tests ?? null);
}

type Given = { row: GivenRow; results: readonly string[]; contexts: readonly string[]; inGraph: TurnInGraph | undefined };

/**
 * The hash of what is handed over: task, files, results and texts of the user. A step of a chain is asked the same as one of a graph that has
 * nothing to choose.
 */
export function hashGiven({ row: { initialTask, language, inputSetId }, results, contexts, inGraph }: Given): string {
  const { choices = [], hasOtherwise = false, isList = false, round = 0, item = null, notAccepted = [] } = inGraph ?? {};
  const form = [choices, choices.length > 0 && hasOtherwise, isList, round, item, notAccepted];
  // A set of files never changes once a run has used it.
  return hashOf(initialTask, language, inputSetId, results, contexts, form);
}

/** 128 bits of SHA-256. */
export function hashOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
