import { keepShownImages, toModelTurns } from '../../../server/modules/executions/tools/model-turns.ts';
import type { StoredTurn } from '../../../server/modules/executions/tools/stored-turns.ts';
import { fitPrompt } from '../../../server/platform/llm/fit/fit-prompt.ts';
import { type LeftOut, nothingLeftOut } from '../../../server/platform/llm/fit/left-out.ts';
import type { ModelAdapter, ModelRequest } from '../../../server/platform/llm/language-model.ts';
import { conversationOf } from '../../../server/platform/llm/prompt.ts';
import type { CachingReply } from './caching-provider.ts';
import { readTool, sampleRequest, sampleText } from './sample-step.ts';

const files = Array.from({ length: 10 }, (_, at) => ({ path: `src/part-${at}.ts`, bytes: 4_000, mime: 'text/plain', isReadable: true }));

/** What a developer is asked with in a run with ten files, after two other agents. */
export const developer = sampleRequest([], {
  systemPrompt: sampleText(300, 'carefully'),
  task: sampleText(60, 'prices'),
  earlier: ['Analyst', 'Architect'].map((title) => ({ title, role: title.toLowerCase(), text: sampleText(500, title) })),
  inputs: { files, count: 10, git: null, texts: files.map(({ path }) => ({ path, sha256: '', text: sampleText(150, path) })) },
});

/** The developer reads and writes: each turn calls one tool, or several. */
export function developerReply(number: number): CachingReply {
  const path = `src/part-${number % 10}.ts`;
  const read = { name: 'read_file', args: { path } };
  if (number % 3 === 0) return { text: 'I change it.', calls: [{ name: 'write_file', args: { path, content: sampleText(300, 'code') } }] };
  return { text: `I read part ${number}.`, calls: number % 5 === 0 ? [read, read, read] : [read] };
}

/** Asks a model in a step of so many turns, with the prompts of the product: as they are, or fitted to a window. */
export async function runDeveloperStep(
  model: Pick<ModelAdapter, 'converse'>,
  count: number,
  window: number | null = null,
): Promise<LeftOut> {
  const turns: StoredTurn[] = [];
  let left = nothingLeftOut;
  for (let number = 0; number < count; number += 1) {
    keepShownImages(turns, false);
    const told = toModelTurns(turns, { language: 'en', told: [], sees: false });
    let request: ModelRequest = { ...developer, ...(turns.length > 0 && { turns: told }), maxTokens: 1_000 };
    if (window !== null) {
      const fit = fitPrompt(request, left, { summary: null, readTool }, { tokens: window, scale: 1, leastScale: 1 });
      if (fit.kind !== 'fits') throw new Error(fit.kind);
      ({ request, left } = fit);
    }
    const outcome = await model.converse(conversationOf(request), new AbortController().signal, () => {});
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    const { text, calls = [], opaque = null } = outcome.value;
    turns.push({
      ...{ executionId: 'run', stepId: 'step', turn: number, text, usage: null, opaque, summary: null, createdAt: new Date(0) },
      calls: calls.map(({ id, name, arguments: args }, position) => ({
        ...{ executionId: 'run', stepId: 'step', turn: number, callId: id, position, tool: name, args, source: 'files', effect: 'read' },
        ...{ approved: false, toolKey: null, state: 'done', images: null, ms: 1, createdAt: new Date(0), endedAt: new Date(0) },
        result: name === 'write_file' ? 'Written.' : sampleText(400, `line${number}`),
      })),
    });
  }
  return left;
}
