import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Question } from '../../../contract/executions/question.ts';
import type { ExecutionRow, StepRow } from '../../../server/modules/executions/store/rows.ts';
import type { StoredRoom } from '../../../server/modules/executions/store/tables.ts';
import type { Room } from '../../../server/modules/executions/tools/step-room.ts';
import { StepTurns } from '../../../server/modules/executions/tools/step-turns.ts';
import type { StoredTurn } from '../../../server/modules/executions/tools/stored-turns.ts';
import type { Claim, StepEnds } from '../../../server/modules/executions/transitions/claim.ts';
import { ExecutionChange } from '../../../server/modules/executions/transitions/transition.ts';
import type { RunTool } from '../../../server/modules/tools/index.ts';
import type { LanguageModel, ModelOutcome, ModelRequest } from '../../../server/platform/llm/language-model.ts';

const at = new Date(0);

const fakeStepRow = {
  ...{ executionId: 'e', stepId: 's', orderIndex: 0, name: 'Developer', agentTitle: 'Developer', role: 'Developer', status: 'running' },
  ...{
    turns: 0,
    turnsFrom: 0,
    toolSeq: 0,
    shortened: null,
    room: null,
    toolUse: null,
    readFiles: null,
    marks: null,
    round: 0,
    item: 0,
    attempts: 1,
  },
} as StepRow;

const fakeRow = {
  id: 'e',
  userId: 'u',
  projectId: 'p',
  pipelineId: 'p',
  initialTask: 'Plan',
  openQuestions: 0,
  language: 'en',
  hasOutside: false,
  approvedTools: null,
  inputSetId: null,
} as ExecutionRow;

const fakeRequest: ModelRequest = {
  ...{ role: 'developer', agentTitle: 'Developer', systemPrompt: '', task: 'Plan', earlier: [], contexts: [], language: 'en' },
  ...{ temperature: null, maxTokens: null, idempotencyKey: 'k' },
};

type Asking = {
  answers: readonly ModelOutcome[];
  tools?: readonly RunTool[];
  turns?: StoredTurn[];
  mayGoWithoutTools?: boolean;
  opaqueFrom?: number;
  model?: Partial<LanguageModel>;
  /** The most turns and calls, before each turn. */
  room?: () => Room;
  stored?: StoredRoom;
  maxTokens?: number;
  request?: Partial<ModelRequest>;
  run?: Partial<ExecutionRow>;
};

/** The same of a step that must not ask a person. */
export async function runFakeStep(asking: Asking) {
  const ran = await tryFakeStep(asking);
  if (ran.kind === 'left') throw new Error('The step was left.');
  return ran;
}

/** Runs the turns of one step with scripted answers of a model, without a database. */
export async function tryFakeStep({
  answers,
  tools = [],
  turns = [],
  mayGoWithoutTools = false,
  opaqueFrom = 0,
  model = {},
  room = () => ({ turns: 40, calls: 200 }),
  stored,
  maxTokens,
  request = {},
  run = {},
}: Asking) {
  const requests: ModelRequest[] = [];
  const events: ExecutionEvent['type'][] = [];
  const questions: Question[] = [];
  let row = { ...fakeRow, ...run };
  const calls = turns.reduce((sum, turn) => sum + turn.calls.length, 0);
  const toolUse = calls > 0 ? { calls, read: 0, written: 0, current: null } : null;
  let step = { ...fakeStepRow, turns: turns.length, toolUse, room: stored ?? null };
  const claim: Claim = { row, step, steps: [step], contexts: [] };
  const progress: StepEnds['progress'] = async (from, work) => {
    const source = { tx: () => Promise.reject() as never, steps: async () => [step], contexts: async () => [] };
    const change = new ExecutionChange({ ...row, lastSeq: 0 }, source, at);
    await work(change, step);
    step = (await change.steps())[0] as typeof step;
    const { events: made, row: after } = change.finish();
    row = { ...after, lastSeq: 0 };
    events.push(...made.map(({ type }) => type));
    questions.push(...made.flatMap(({ question }) => question ?? []));
    return { ...from, row, step };
  };
  const suspended: StepEnds['suspended'] = async (from, work) => void (await progress(from, work));
  const ends = { progress, suspended } as unknown as StepEnds;
  const signal = new AbortController().signal;
  const paid = () => ({ cost: { amounts: [] }, usage: null, spend: [] });
  const outcome = await new StepTurns({
    ...{ claim, tools, ends, signal, paid, mayGoWithoutTools, opaqueFrom, turns },
    room: async () => room(),
    request: { ...fakeRequest, maxTokens: maxTokens ?? null, ...request },
    model: { callsTools: true, sees: false, ...model } as LanguageModel,
    leftMs: () => 60_000,
    converse: async () => ({ ok: true, value: { text: 'A summary.', thoughts: null, finish: 'stop', usage: null } }),
    call: async (sent) => {
      requests.push(sent);
      const answer = answers[requests.length - 1];
      if (!answer) throw new Error('The model is asked more often than expected.');
      return answer;
    },
    deps: { ends, tools, signal, leftMs: () => 60_000, paid, seal: () => null, log: { error: () => {} } },
  }).run();
  return { ...outcome, requests, events, questions, step, turns };
}
