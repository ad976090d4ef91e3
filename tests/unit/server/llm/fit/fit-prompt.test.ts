import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countPrompt } from '../../../../../server/platform/llm/fit/count-prompt.ts';
import { countTokens } from '../../../../../server/platform/llm/fit/count-tokens.ts';
import { type Fit, fitPrompt, summaryTokens } from '../../../../../server/platform/llm/fit/fit-prompt.ts';
import { type LeftOut, nothingLeftOut, shortenedOf } from '../../../../../server/platform/llm/fit/left-out.ts';
import { summaryConversation } from '../../../../../server/platform/llm/fit/summarise-turns.ts';
import { failureOfWindow, windowOf } from '../../../../../server/platform/llm/fit/window-of.ts';
import type { ModelRequest, ModelTurn } from '../../../../../server/platform/llm/language-model.ts';
import { conversationOf } from '../../../../../server/platform/llm/prompt.ts';
import { readTool, sampleRequest, sampleText, sampleTurn } from '../../../../support/llm/sample-step.ts';

const plain = { summary: null, readTool };
const window = (tokens: number, scale = 1, leastScale = scale) => ({ tokens, scale, leastScale });

/** Fits a request, with a summary where the fit asks for one. */
function fitWith(request: ModelRequest, tokens: number, before: LeftOut = nothingLeftOut, summary: string | null = null): Fit {
  const fit = fitPrompt(request, before, { summary, readTool }, window(tokens));
  if (fit.kind !== 'summarise') return fit;
  return fitPrompt(request, fit.left, { summary: 'The summary.', readTool }, window(tokens));
}

test('M4.01 a prompt that fits is sent as it is', () => {
  const request = sampleRequest([sampleTurn(1, sampleText(2_000))]);
  const fit = fitPrompt(request, nothingLeftOut, plain, window(8_000));
  expect(fit).toEqual({ kind: 'fits', request, left: nothingLeftOut });
});

test('M4.02 the oldest tool results are dropped first, and one line for each names the result and how to read it again', () => {
  const turns = [1, 2, 3, 4].map((at) => sampleTurn(at, sampleText(1_000)));
  const fit = fitPrompt(sampleRequest(turns), nothingLeftOut, plain, window(5_000));
  if (fit.kind !== 'fits') throw new Error(fit.kind);
  const results = fit.request.turns?.map(({ calls }) => calls[0]?.result ?? '');
  expect(results?.[0]).toBe(
    `[Left out to fit the model's window: the result of \`read_file\` with {"path":"src/part-1.ts"}, ${sampleText(1_000).length} characters. \`read_earlier_result\` reads it again: {"result": 1}]`,
  );
  expect(results?.map((result) => result.startsWith('[Left out'))).toEqual([true, true, false, false]);
  expect(fit.request.tools?.map(({ name }) => name)).toEqual(['read_file', 'read_earlier_result']);
  expect(fit.request.turns?.map(({ calls }) => calls[0]?.arguments)).toEqual(turns.map(({ calls }) => calls[0]?.arguments));
  expect(shortenedOf(sampleRequest(turns), fit.left)).toEqual({ results: 2, texts: 0, summarised: 0, earlier: 0 });
});

test('M4.02 the note of the last tool result stays when the result itself is left out', () => {
  const turns = [sampleTurn(1, `${sampleText(4_000)}\n\nYour last turn.`, { note: 'Your last turn.' })];
  const fit = fitWith(sampleRequest(turns), 3_000);
  if (fit.kind !== 'fits') throw new Error(fit.kind);
  expect(fit.request.turns?.[0]?.calls[0]?.result).toMatch(/^\[Left out .*\n\nYour last turn\.$/s);
});

test('M4.03 when results are not enough, texts of files become a list of names', () => {
  const files = [{ path: 'a.md', bytes: 9, mime: 'text/markdown', isReadable: true }];
  const inputs = { files, count: 1, git: null, texts: [{ path: 'a.md', sha256: '', text: sampleText(4_000, 'words') }] };
  const fit = fitWith(sampleRequest([sampleTurn(1, sampleText(500))], { inputs }), 4_000);
  if (fit.kind !== 'fits') throw new Error(fit.kind);
  const prompt = conversationOf(fit.request).messages.at(-1)?.content ?? '';
  expect(prompt).toContain('- a.md (9)');
  expect(prompt).toContain("The texts of small ones are left out to fit the model's window: 1.");
  expect(prompt).not.toContain('Some follow, whole');
  expect(prompt).not.toContain('words');
});

test('M4.04 when a list of file names is not enough, the model summarises its earlier turns, and continues with the last turn', () => {
  const long = { arguments: JSON.stringify({ path: 'a.ts', content: sampleText(1_500) }), name: 'write_file' };
  const turns = [1, 2, 3].map((at) => sampleTurn(at, 'Written.', long));
  const request = sampleRequest(turns);
  const fit = fitPrompt(request, nothingLeftOut, plain, window(5_000));
  expect(fit).toMatchObject({ kind: 'summarise', left: { turns: 2, calls: 2 } });
  const asked = summaryConversation(request, turns.slice(0, 2), null, window(5_000));
  expect(countTokens(asked.messages.map(({ content }) => content).join(''))).toBeLessThan(5_000 - 1_250);
  expect(asked.messages.at(-1)?.content).toContain('write_file {"path":"a.ts"');
  const after = fitWith(request, 5_000);
  if (after.kind !== 'fits') throw new Error(after.kind);
  expect(after.request.turns).toEqual(turns.slice(2));
  expect(conversationOf(after.request).messages.at(-1)?.content).toMatch(/# Your work on this so far\n\n.*1 to 2.*\n\nThe summary\.$/s);
});

test('M4.04 turns with a cut-off answer are never summarised, and the model continues with these turns', () => {
  const cut: ModelTurn = { text: sampleText(300), calls: [] };
  const fit = fitWith(sampleRequest([sampleTurn(1, sampleText(9_000)), sampleTurn(2, 'Short.'), cut, cut]), 3_000);
  if (fit.kind !== 'fits') throw new Error(fit.kind);
  expect(fit.request.turns?.slice(-2)).toEqual([cut, cut]);
});

test('M4.05 as the last means, the longest results of earlier agents are cut, and say how long they were', () => {
  const earlier = [400, 9_000].map((words) => ({ title: 'Analyst', role: 'analyst', text: sampleText(words) }));
  const fit = fitWith(sampleRequest([], { earlier }), 4_000);
  if (fit.kind !== 'fits') throw new Error(fit.kind);
  expect(fit.request.earlier[0]).toEqual(earlier[0]);
  expect(fit.request.earlier[1]?.text).toContain(`this result has ${sampleText(9_000).length} characters`);
  expect(countPrompt(fit.request)).toBeGreaterThan(0.95 * 3_000);
});

test('M4.06 a prompt that is too long even at its shortest reports how many tokens it needs', () => {
  const request = sampleRequest([sampleTurn(1, sampleText(300))], { task: sampleText(3_000), maxTokens: 500 });
  const fit = fitPrompt(request, nothingLeftOut, plain, window(2_048));
  if (fit.kind !== 'over') throw new Error(fit.kind);
  expect(fit.needed).toBeGreaterThan(3_500);
  expect(fitPrompt(request, nothingLeftOut, plain, window(fit.needed)).kind).toBe('fits');
  expect(fitPrompt(request, nothingLeftOut, plain, window(fit.needed - 1)).kind).toBe('over');
});

test('M4.07 what the server counts for a prompt corrects the estimate of the next one', () => {
  const sent = sampleRequest([]);
  const usage = (promptTokens: number) => ({ promptTokens, completionTokens: 1, totalTokens: promptTokens + 1 });
  const counted = countPrompt(sent);
  expect(windowOf(1_000, null)).toEqual(window(1_000, 1, 0.6));
  expect(windowOf(1_000, { sent: () => sent, usage: null })).toEqual(window(1_000, 1, 0.6));
  expect(windowOf(1_000, { sent: () => sent, usage: usage(counted / 2) })).toEqual(window(1_000, 0.5));
  expect(windowOf(1_000, { sent: () => sent, usage: usage(1) })).toEqual(window(1_000, 1, 0.6));
  expect(windowOf(1_000, { sent: () => sent, usage: usage(counted * 9) })).toEqual(window(1_000, 1.6));
});

const anyText = fc.integer({ min: 0, max: 3_000 }).map((words) => sampleText(words));
const anyCall = fc.record({ result: anyText, args: anyText, isNoted: fc.boolean() });
const anyTurn = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.array(anyCall, { maxLength: 3 })).map(
  ([said, calls]): ModelTurn => ({
    text: sampleText(said),
    calls: calls.map(({ result, args, isNoted }, at) => ({
      ...{ id: `call_${at}`, name: 'read_file', arguments: JSON.stringify({ args }), result, isError: false },
      ...(isNoted && { note: 'Noted.' }),
    })),
  }),
);
const anyRequest = fc
  .record({ turns: fc.array(anyTurn, { maxLength: 6 }), results: fc.array(anyText, { maxLength: 3 }), file: anyText, task: anyText })
  .map(({ turns, results, file, task }) =>
    sampleRequest(turns, {
      task,
      earlier: results.map((text) => ({ title: 'Analyst', role: 'analyst', text })),
      inputs: { files: [], count: 1, git: null, texts: [{ path: 'a.md', sha256: '', text: file }] },
    }),
  );
const anyWindow = fc.integer({ min: 500, max: 40_000 });

test('M4.08 a fitted prompt is never longer than the window, and nothing is left out of one that fits', () => {
  fc.assert(
    fc.property(anyRequest, anyWindow, (request, tokens) => {
      const fit = fitWith(request, tokens);
      const room = tokens - Math.min(4_096, Math.floor(tokens / 4));
      if (countPrompt(request) <= room) expect(fit).toEqual({ kind: 'fits', request, left: nothingLeftOut });
      else if (fit.kind === 'over') expect(fit.needed).toBeGreaterThan(tokens);
      else {
        if (fit.kind !== 'fits') throw new Error('A summary that is stored is not asked for again.');
        expect(countPrompt(fit.request)).toBeLessThanOrEqual(room);
      }
    }),
    { numRuns: 60 },
  );
});

test('M4.08 the same input gives the same prompt, and what was left out stays left out in the next turn', () => {
  fc.assert(
    fc.property(anyRequest, anyTurn, anyWindow, (request, next, tokens) => {
      const fit = fitWith(request, tokens);
      expect(fitWith(request, tokens)).toEqual(fit);
      if (fit.kind !== 'fits') return;
      const turns = [...(request.turns ?? []), next];
      const later = fitWith({ ...request, turns }, tokens, fit.left, fit.left.turns > 0 ? 'The summary.' : null);
      if (later.kind !== 'fits') return;
      expect(later.left.calls).toBeGreaterThanOrEqual(fit.left.calls);
      expect(later.left.turns).toBeGreaterThanOrEqual(fit.left.turns);
      expect(later.left.texts || !fit.left.texts).toBe(true);
      expect(later.left.earlier ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(fit.left.earlier ?? Number.POSITIVE_INFINITY);
    }),
    { numRuns: 40 },
  );
});

test('M4.08 a summary has an eighth of the window, and at most 1,200 tokens', () => {
  expect([summaryTokens(4_096), summaryTokens(128_000)]).toEqual([512, 1_200]);
});

test('M4.04 a last turn that is too long in itself is summarised as well', () => {
  const turns = [sampleTurn(1, 'Written.', { name: 'write_file', arguments: JSON.stringify({ content: sampleText(4_000) }) })];
  const fit = fitPrompt(sampleRequest(turns), nothingLeftOut, plain, window(5_000));
  expect(fit).toMatchObject({ kind: 'summarise', left: { turns: 1, calls: 1 } });
  const after = fitWith(sampleRequest(turns), 5_000);
  if (after.kind !== 'fits') throw new Error(after.kind);
  expect(after.request.turns).toEqual([]);
  expect(after.request.summary).toEqual({ text: 'The summary.', results: 1 });
});

test('M4.06 a prompt that may fit with nothing more to leave out is sent: its server decides', () => {
  const request = sampleRequest([], { task: sampleText(3_000), maxTokens: 500 });
  expect(fitPrompt(request, nothingLeftOut, plain, window(3_000)).kind).toBe('over');
  expect(fitPrompt(request, nothingLeftOut, plain, window(3_000, 1, 0.6)).kind).toBe('fits');
  expect(fitPrompt(request, nothingLeftOut, plain, window(2_000, 1, 0.6)).kind).toBe('over');
});

test('M4.06 a conversation of a command fails before the call only where it is certainly longer than the window', () => {
  const conversation = conversationOf(sampleRequest([], { task: sampleText(3_000), maxTokens: 500 }));
  expect(failureOfWindow(conversation, null)).toBeNull();
  expect(failureOfWindow(conversation, 3_000)).toBeNull();
  expect(failureOfWindow(conversation, 2_000)).toMatchObject({ code: 'prompt_over_window', tokens: { window: 2_000 } });
});

test('C3.07 an answer that is set longer than half of the window gets what the prompt leaves of it', () => {
  const request = sampleRequest([], { task: sampleText(3_000), maxTokens: 128_000 });
  const fit = fitPrompt(request, nothingLeftOut, plain, window(16_000));
  if (fit.kind !== 'fits') throw new Error(fit.kind);
  expect(fit.request.maxTokens).toBe(16_000 - countPrompt(request));
  const whole = fitPrompt(request, nothingLeftOut, plain, window(1_050_000));
  expect(whole).toMatchObject({ request: { maxTokens: 128_000 } });
});
