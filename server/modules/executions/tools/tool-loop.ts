import type { StepMark } from '../../../../contract/executions/step-mark.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Conversation, LanguageModel, ModelAnswer, ModelOutcome, ModelRequest } from '../../../platform/llm/language-model.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { AgentModelConfig } from '../../agents/index.ts';
import type { RunTool, ToolProvider, ToolStep } from '../../tools/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { WriteEnd } from '../store/step-answer.ts';
import { versionOfRun } from '../store/version-of-run.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import type { Paid } from '../transitions/end-run.ts';
import { createOpaqueTurns } from './opaque-turns.ts';
import type { Room } from './step-room.ts';
import { StepTurns } from './step-turns.ts';
import { readTurns } from './stored-turns.ts';

type ToolLoopDeps = {
  providers: readonly ToolProvider[];
  db: Db;
  secrets: Pick<SecretBox, 'seal' | 'open'>;
  log: { error: (about: object, line: string) => void };
};

/** The step whose turns are run, and how it calls and stores. */
export type ToolLoopInput = {
  claim: Claim;
  model: LanguageModel;
  request: ModelRequest;
  tools: readonly RunTool[];
  /** Whether the step goes on without tools where its model refuses them. */
  mayGoWithoutTools: boolean;
  /** The number of the first turn of this model. Another one had those before: they go back as text and calls. */
  opaqueFrom?: number;
  ends: StepEnds;
  /** Aborts with the time or the stop of the step. */
  signal: AbortSignal;
  /** Returns what the step has used and cost so far, and its calls that are not stored yet. */
  paid: (step: StepRow) => Paid;
  /** Calls the model once, with retries. */
  call: (request: ModelRequest) => Promise<ModelOutcome>;
  /** The same beside the turns of the step: nothing of it is shown. */
  converse: (conversation: Conversation) => Promise<ModelOutcome>;
  /** What the step and its run have left (ms). */
  leftMs: () => number;
  /** Returns the most turns and calls of the step, as they are set now. */
  room: () => Promise<Room>;
  /** Repeats a write while the database is down. */
  lasting: <T>(work: () => Promise<T>) => Promise<T>;
};

/** What the turns of a step have shown beside their answer. */
export type AboutTurns = {
  marks: StepMark[];
  /** How its last call to write a file ended; null for none. */
  lastWrite: WriteEnd | null;
  /** A call may have changed something outside of the run. */
  hasEffect: boolean;
  /** After a failure: the parts of an answer that were stored before it. */
  unfinished: ModelAnswer | null;
};

/**
 * How the turns of a step ended: with an answer or a failure, and the tokens of all turns. Or with a question to a person, or because
 * another attempt owns the step.
 */
export type ToolLoopOutcome = { kind: 'answered'; outcome: ModelOutcome; claim: Claim; about: AboutTurns } | { kind: 'left' };

/** The settings of a step's agent and of its project that decide about tools. */
type SettingsOfTools = Pick<ToolStep, 'hasServerTools' | 'fetchHosts' | 'fileAccess' | 'runsTests'>;

/** What the tools of a step depend on in the settings of its agent and project. */
export function toolSettings(
  { hasTools, work }: Pick<AgentModelConfig, 'hasTools' | 'work'>,
  fetchHosts: readonly string[],
): SettingsOfTools {
  return { hasServerTools: hasTools, fetchHosts, fileAccess: work.fileAccess, runsTests: work.runsTests };
}

/** Runs the turns of a step: the model calls tools and gets their results, until it answers. */
export function createToolLoop({ providers, db, secrets, log }: ToolLoopDeps) {
  const opaque = createOpaqueTurns(secrets);

  /** Returns the tools that an agent has in a step, whether its model can call them or not. */
  async function toolsFor({ row, step }: Pick<Claim, 'row' | 'step'>, settings: SettingsOfTools): Promise<RunTool[]> {
    const { userId, projectId, id: executionId, language, inputSetId } = row;
    const hasFiles = row.hasFiles || inputSetId !== null;
    const tools = new Map<string, RunTool>();
    const about = {
      userId,
      projectId,
      teamVersionId: versionOfRun(row),
      agentId: step.agentId,
      executionId,
      language,
      hasFiles,
      ...settings,
    };
    for (const provider of providers) {
      const given = await provider.toolsFor(about);
      for (const tool of given) if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
    return [...tools.values()];
  }

  async function runTurns({ lasting, ...input }: ToolLoopInput): Promise<ToolLoopOutcome> {
    const turns = await lasting(() => readTurns(db, input.claim.step, opaque.open));
    return new StepTurns({ ...input, turns, deps: { ...input, seal: opaque.seal, log } }).run();
  }

  return { toolsFor, runTurns };
}

export type ToolLoop = ReturnType<typeof createToolLoop>;
