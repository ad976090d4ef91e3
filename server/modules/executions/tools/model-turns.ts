import type { Language } from '../../../http/call.ts';
import type { ModelTurn } from '../../../platform/llm/language-model.ts';
import type { ToolCallRow } from '../store/tool-call-rows.ts';
import { toolText } from '../store/tool-texts.ts';
import type { StoredTurn } from './stored-turns.ts';

/** How turns are told: whether no further call will be carried out, which the last result says, and whether the model sees images. */
type Telling = { language: Language; isLast: boolean; sees: boolean };

/** Converts stored turns to those of a request. */
export function toModelTurns(turns: readonly StoredTurn[], { language, isLast, sees }: Telling): ModelTurn[] {
  return turns.map(({ text, calls }, at) => ({
    text,
    calls: calls.map((call, position) => {
      const { callId, tool, args, state, images } = call;
      const isNoted = isLast && at === turns.length - 1 && position === calls.length - 1;
      const notes = [
        ...(images && !sees ? [toolText(language, 'imagesUnseen', { count: images.length })] : []),
        ...(isNoted ? [toolText(language, 'lastTurn')] : []),
      ];
      const result = [resultOf(call, language), ...notes].join('\n\n');
      return { id: callId, name: tool, arguments: args, result, isError: state !== 'done', ...(images && sees && { images }) };
    }),
  }));
}

function resultOf({ tool, state, result, source }: ToolCallRow, language: Language): string {
  // The message of a failure may come from outside as well.
  const isFromOutside = state === 'failed' && source !== null && source !== 'files';
  if (state === 'done' || isFromOutside) return asData(tool, result ?? '', language);
  return result ?? toolText(language, state === 'unknown' ? 'notKnown' : 'notCarriedOut');
}

/** Encloses a result in fences that it cannot close. */
function asData(tool: string, text: string, language: Language): string {
  let fence = '~~~';
  while (text.includes(fence)) fence += '~';
  return `${toolText(language, 'data', { tool })}\n\n${fence}\n${text}\n${fence}`;
}
