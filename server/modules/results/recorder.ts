import type { TokenUsage } from '../../../contract/common.ts';
import type { Cost } from '../../../contract/cost.ts';
import { resultStatus, resultType } from '../../../contract/executions/result-kinds.ts';
import type { StepMark } from '../../../contract/executions/step-mark.ts';
import type { Language } from '../../http/call.ts';
import type { SqlFragment } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { completion, firstWriting, mergingMetadata, type NewResult } from './repository.ts';
import { resultTexts } from './result-texts.ts';

/** Characters of an answer that a search reads. */
const maxSearchedLength = 65_536;

/** The fields of a run's history item that are known from its start. */
export type RecordedRun = {
  executionId: string;
  userId: OwnerId;
  projectId: string;
  pipelineId: string;
  userRequest: string;
  /** Whether a dialog node sent it: then it is a conversation with the first agent. */
  fromDialog: boolean;
  source: string;
  language: Language;
  agents: { serverAgentId: string; title: string }[];
};

export type RunOutcome = {
  status: 'completed' | 'failed' | 'cancelled';
  /** The last agent's answer, or the reason why there is none. */
  finalResult: string;
  completedAt: Date;
  executionTimeMs: number;
  tokenUsage: TokenUsage;
  /** The steps of the whole run, with each round and item. */
  stepsCount: number;
  cost: Cost;
  /** True when a budget ended the run. */
  limited: boolean;
  /** True when a simulated model wrote any part of it. */
  simulated: boolean;
  /** What the results of its steps lack. */
  marks: readonly StepMark[];
};

/** Writes one history item for each run, in the same transactions as the run itself. */
export function createRecorder(newId: () => string, now: () => Date) {
  return {
    /** Creates a Processing item, as part of the statement that starts the run. */
    started(run: RecordedRun): SqlFragment {
      return firstWriting(processingItem(run, newId(), now()));
    },

    /** Sets the item of an ended run back to Processing, as part of the run's own statement. */
    resumed(run: RecordedRun): SqlFragment {
      return completion(processingItem(run, newId(), now()), '{}');
    },

    /** Completes the item, or creates it if there is none, as part of the run's own statement. */
    ended(run: RecordedRun, outcome: RunOutcome): SqlFragment {
      return completion(itemOf(run, outcome, newId(), now()), JSON.stringify(endMetadata(run, outcome)));
    },
    /** Changes what an ended run has used and cost, as part of the run's own statement. */
    charged(executionId: string, { tokenUsage, cost }: Pick<RunOutcome, 'tokenUsage' | 'cost'>): SqlFragment {
      return mergingMetadata(executionId, JSON.stringify({ tokenUsage, cost }), now());
    },
  };
}

export type Recorder = ReturnType<typeof createRecorder>;

/** Builds the item of a run; a Processing one without an outcome. */
export function itemOf(run: RecordedRun, outcome: RunOutcome | null, id: string, now: Date) {
  const item = processingItem(run, id, now);
  if (!outcome) return item;
  return {
    ...item,
    ...(outcome.status === 'completed' ? ofLastStep(outcome.finalResult) : { finalResult: outcome.finalResult }),
    status: resultStatus[outcome.status],
    type: outcome.status === 'completed' ? resultType.success : resultType.failure,
    stepsCount: outcome.stepsCount,
    metadata: mergedMetadata(item.metadata, endMetadata(run, outcome)),
  };
}

/** The answer itself is stored with the step. What a search reads of it is written in the same statement, which cannot read the step yet. */
function ofLastStep(answer: string) {
  return { finalResult: null, answerSearchText: answer.slice(0, maxSearchedLength) };
}

function endMetadata(
  run: RecordedRun,
  { completedAt, executionTimeMs, tokenUsage, cost, limited, simulated, marks }: RunOutcome,
): Record<string, unknown> {
  const end = completedAt.toISOString();
  return {
    ...metadataOf(run),
    completedAt: end,
    responseTimestamp: end,
    executionTime: executionTimeMs,
    tokenUsage,
    cost,
    ...(limited && { limited }),
    ...(marks.length > 0 && { marks }),
    simulated,
  };
}

function processingItem(run: RecordedRun, id: string, now: Date) {
  const agent = run.agents[0]?.title ?? 'Agent';
  return {
    id,
    userId: run.userId,
    projectId: run.projectId,
    pipelineExecutionId: run.executionId,
    userRequest: run.userRequest,
    finalResult: 'Processing...' as string | null,
    answerSearchText: null as string | null,
    summary: run.fromDialog ? resultTexts(run.language).dialogWith(agent) : resultTexts(run.language).runOf(run.agents.length),
    type: resultType.processing,
    status: resultStatus.processing,
    metadata: JSON.stringify({ ...metadataOf(run), timestamp: now.toISOString() }),
    tags: run.fromDialog ? `dialog,${agent.replaceAll(',', ' ')},chat` : 'pipeline',
    agentsCount: run.agents.length,
    stepsCount: run.agents.length,
    createdAt: now,
    updatedAt: now,
  } satisfies NewResult;
}

function metadataOf(run: RecordedRun): Record<string, unknown> {
  return {
    dialogType: 'user-agent-chat',
    agentName: run.agents[0]?.title ?? 'Agent',
    executionId: run.executionId,
    pipelineId: run.pipelineId,
    source: run.source,
    agents: run.agents,
  };
}

/** Merges `added` into the text's fields. */
export function mergedMetadata(text: string, added: Record<string, unknown>): string {
  return JSON.stringify({ ...parsedMetadata(text), ...added });
}

/** Parses the fields of a metadata text; returns none if it is no JSON object. */
export function parsedMetadata(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text, storable);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Removes what PostgreSQL's JSON refuses: NUL characters and half surrogate pairs. */
function storable(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storable('', name), inner]));
}
