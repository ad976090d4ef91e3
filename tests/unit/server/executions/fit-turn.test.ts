import { expect, test } from 'vitest';
import { type Fitting, fitTurn } from '../../../../server/modules/executions/tools/fit-turn.ts';
import { readEarlierResult } from '../../../../server/modules/executions/tools/read-earlier-result.ts';
import type { StoredTurn } from '../../../../server/modules/executions/tools/stored-turns.ts';
import type { Claim, StepWork } from '../../../../server/modules/executions/transitions/claim.ts';
import type { Transition } from '../../../../server/modules/executions/transitions/transition.ts';
import type { ToolContext } from '../../../../server/modules/tools/index.ts';
import type { Conversation, ModelOutcome, ModelRequest, ModelTurn } from '../../../../server/platform/llm/language-model.ts';
import { readTool, sampleRequest, sampleText, sampleTurn } from '../../../support/llm/sample-step.ts';

const written = (at: number) =>
  sampleTurn(at, 'Written.', { name: 'write_file', arguments: JSON.stringify({ content: sampleText(1_500) }) });

/** A step with turns whose writes are recorded, and a model with a window of so many tokens that summarises with `outcome`. */
function stepWith(turns: readonly ModelTurn[], contextWindow: number | null, outcome?: ModelOutcome) {
  const stored = turns.map((turn, at) => ({ turn: at, stepId: 'step', usage: null, summary: null, text: turn.text, calls: turn.calls }));
  const events: string[] = [];
  const writes: string[] = [];
  const asked: Conversation[] = [];
  let claim = { row: { id: 'run' }, step: { stepId: 'step', turnsFrom: 0, shortened: null }, steps: [] } as unknown as Claim;
  const change = {
    setStep: async (step: object, values: object) => ({ ...step, ...values }),
    record: (type: string, { step }: { step: Claim['step'] }) => {
      events.push(type);
      claim = { ...claim, step };
    },
    addWrite: () => writes.push('summary'),
  } as unknown as Transition;
  const fitting: Fitting = {
    model: { contextWindow },
    told: null,
    ends: {
      progress: async (from, work: StepWork) => {
        await work(change, from.step);
        return { ...from, step: claim.step };
      },
    },
    paid: () => ({ cost: { micros: 1, currency: 'USD', isPartial: false } as never, usage: null, spend: [] }),
    converse: async (conversation) => {
      asked.push(conversation);
      return outcome ?? { ok: true, value: { text: 'I wrote two files.', thoughts: null, finish: 'stop', usage: null } };
    },
    readTool,
  };
  const fit = (request: ModelRequest = sampleRequest(turns)) =>
    fitTurn(fitting, { claim, request, turns: stored as unknown as StoredTurn[] });
  return { fit, events, writes, asked, stored, shortened: () => claim.step.shortened };
}

test('M4.01 a prompt is sent unchanged to a model with an unknown window and where it fits, and no event is stored', async () => {
  const turns = [sampleTurn(1, sampleText(5_000))];
  for (const window of [null, 100_000]) {
    const step = stepWith(turns, window);
    expect(await step.fit()).toMatchObject({ kind: 'fits', request: sampleRequest(turns) });
    expect(step.events).toEqual([]);
  }
});

test('M4.09 the step says once what its prompts leave out', async () => {
  const step = stepWith(
    [1, 2, 3].map((at) => sampleTurn(at, sampleText(1_000))),
    4_000,
  );
  const first = await step.fit();
  expect(await step.fit()).toEqual(first);
  expect(step.events).toEqual(['prompt.shortened']);
  expect(step.shortened()).toMatchObject({ parts: { results: 2, texts: 0, summarised: 0, earlier: 0 }, from: 0 });
});

test('M4.04 a summary is stored with its turn, and a step that begins again does not ask for it a second time', async () => {
  const step = stepWith([1, 2, 3].map(written), 5_000);
  const fitted = await step.fit();
  if (fitted.kind !== 'fits') throw new Error(fitted.kind);
  expect(fitted.request.summary).toEqual({ text: 'I wrote two files.', results: 2 });
  expect(step.stored.map(({ summary }) => summary)).toEqual([null, 'I wrote two files.', null]);
  expect(step.writes).toEqual(['summary']);
  expect(await step.fit()).toEqual(fitted);
  expect(step.asked).toHaveLength(1);
  expect(step.asked[0]?.tools).toBeUndefined();
  expect(step.asked[0]?.idempotencyKey).toBe('run:step:summary:2');
});

test('M4.04 a step whose summary fails ends with the failure of a prompt that is longer than the window', async () => {
  const failure = { ok: false, error: { code: 'model_unavailable', transient: true, detail: 'Busy' } } as const;
  const fitted = await stepWith([1, 2, 3].map(written), 5_000, failure).fit();
  expect(fitted).toMatchObject({ kind: 'failed', error: { code: 'prompt_over_window', detail: 'Busy', tokens: { window: 5_000 } } });
});

test('M4.06 a prompt that cannot be made to fit fails before the model is called', async () => {
  const step = stepWith([], 1_000);
  const fitted = await step.fit(sampleRequest([], { task: sampleText(2_000) }));
  expect(fitted).toMatchObject({ kind: 'failed', error: { code: 'prompt_over_window', transient: false, tokens: { window: 1_000 } } });
  expect(step.asked).toEqual([]);
});

test('M4.10 a result that was left out is read again in parts', async () => {
  const { stored } = stepWith([sampleTurn(1, 'First.'), sampleTurn(2, 'x'.repeat(9_000))], null);
  const tool = readEarlierResult(stored as unknown as StoredTurn[], 'en');
  const read = async (args: object) => {
    const result = await tool.carryOut(args, { language: 'en' } as ToolContext);
    return result.ok ? result.text : result.failure.message;
  };
  expect(await read({ result: 1 })).toBe('First.');
  expect(await read({ result: 2 })).toBe(`${'x'.repeat(4_000)}\n\n[Characters up to 4000 of 9000. Read on with this offset.]`);
  expect(await read({ result: 2, offset: 8_000, length: 16_000 })).toBe('x'.repeat(1_000));
  expect(await read({ result: 3 })).toBe('There is no result 3. Results have the numbers 1 to 2.');
  expect(await read({ result: 0 })).toBe('The arguments do not fit: result');
  expect(await read({ result: 1, length: 1_000_000 })).toBe('The arguments do not fit: length');
  expect([tool.effect, tool.policy, tool.source]).toEqual(['read', 'auto', 'files']);
});
