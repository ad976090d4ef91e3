import { z } from 'zod';
import type { Language } from '../../../http/call.ts';
import { failed, fill, type RunTool, schemaTool, toolWords } from '../../tools/index.ts';
import type { StoredTurn } from './stored-turns.ts';

/** The characters of a result that one call returns: unless it asks for others, and at the most. */
const usualLength = 4_000;
const maxLength = 16_000;

const readArguments = z.object({
  result: z.number().int().min(1),
  offset: z.number().int().min(0).optional(),
  length: z.number().int().min(1).max(maxLength).optional(),
});

/** The tool that reads results of a step again which its prompt leaves out. Results are counted from 1 over all turns. */
export function readEarlierResult(turns: readonly StoredTurn[], language: Language): RunTool {
  const say = toolWords[language];
  const about = {
    name: 'read_earlier_result',
    description: say.readEarlierResult,
    effect: 'read',
    source: 'files',
    policy: 'auto',
  } as const;
  return schemaTool(about, readArguments, async ({ result: number, offset = 0, length = usualLength }) => {
    const calls = turns.flatMap((turn) => turn.calls);
    const text = calls[number - 1]?.result ?? null;
    if (text === null) return failed(fill(say.noSuchResult, { number, count: calls.length }));
    const part = text.slice(offset, offset + length).toWellFormed();
    const end = offset + part.length;
    return { ok: true, text: end < text.length ? `${part}\n\n${fill(say.readOn, { end, length: text.length })}` : part };
  });
}
