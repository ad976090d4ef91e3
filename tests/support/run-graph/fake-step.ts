import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { ExecutionRow, StepRow } from '../../../server/modules/executions/store/rows.ts';
import { StepTurns } from '../../../server/modules/executions/tools/step-turns.ts';
import type { StoredTurn } from '../../../server/modules/executions/tools/stored-turns.ts';
import type { Claim, StepEnds } from '../../../server/modules/executions/transitions/claim.ts';
import { beginTransition } from '../../../server/modules/executions/transitions/transition.ts';
import type { RunTool } from '../../../server/modules/tools/index.ts';
import type { LanguageModel, ModelOutcome, ModelRequest } from '../../../server/platform/llm/language-model.ts';

const at = new Date(0);

export const fakeStepRow = {
  ...{ executionId: 'e', stepId: 's', orderIndex: 0, name: 'Developer', agentTitle: 'Developer', role: 'Developer', status: 'running' },
  ...{ turns: 0, turnsFrom: 0, toolSeq: 0, shortened: null, toolUse: null, readFiles: null, marks: null, round: 0, item: 0, attempts: 1 },
} as StepRow;

const row = {
  id: 'e',
  userId: 'u',
  projectId: 'p',
  language: 'en',
  hasOutside: false,
  approvedTools: null,
  inputSetId: null,
} as ExecutionRow;

const request: ModelRequest = {
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
};

/** Runs the turns of one step with scripted answers of a model, without a database. */
export async function runFakeStep({ answers, tools = [], turns = [], mayGoWithoutTools = false, opaqueFrom = 0, model = {} }: Asking) {
  const requests: ModelRequest[] = [];
  const events: ExecutionEvent['type'][] = [];
  let step = { ...fakeStepRow, turns: turns.length };
  const claim: Claim = { row, step, steps: [step], contexts: [] };
  const progress: StepEnds['progress'] = async (from, work) => {
    const source = { tx: () => Promise.reject() as never, steps: async () => [step], contexts: async () => [] };
    const { change, finish } = beginTransition({ ...row, lastSeq: 0 }, source, at);
    await work(change, step);
    step = (await change.steps())[0] as typeof step;
    events.push(...finish().events.map(({ type }) => type));
    return { ...from, step };
  };
  const ends = { progress, suspended: async () => {} } as unknown as StepEnds;
  const signal = new AbortController().signal;
  const paid = () => ({ cost: { amounts: [] }, usage: null, spend: [] });
  const outcome = await new StepTurns({
    ...{ claim, tools, ends, signal, paid, mayGoWithoutTools, opaqueFrom, turns },
    request,
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
  if (outcome.kind === 'left') throw new Error('The step was left.');
  return { ...outcome, requests, events, step, turns };
}
