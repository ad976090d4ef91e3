import { fenced } from '../../../../rules/text/fenced.ts';
import type { Language } from '../../../http/call.ts';
import type { ModelImage, ModelTurn } from '../../../platform/llm/language-model.ts';
import type { StoredRoom } from '../store/tables.ts';
import type { ToolCallRow } from '../store/tool-call-rows.ts';
import { toolText } from '../store/tool-texts.ts';
import type { StoredTurn } from './stored-turns.ts';

/** The images that a step is shown of its results: how many, and the characters of all in base64. */
const maxShown = { count: 8, length: 6 * 1024 * 1024 };
/** What is left of older ones when there are too many. One for each new one would change the beginning of each prompt, which servers cache. */
const keptOfOlder = { count: 4, length: 3 * 1024 * 1024 };

/** Drops the images that a model is not shown, or not again: all of one that does not see, and the oldest ones of too many. They stay counted. */
export function keepShownImages(turns: readonly StoredTurn[], sees: boolean): void {
  let shown: ModelImage[] = [];
  const drop = (image: ModelImage) => {
    image.base64 = '';
  };
  for (const call of turns.flatMap(({ calls }) => calls)) {
    call.images &&= call.images.map((image) => ({ ...image }));
    const added = (call.images ?? []).filter(({ base64 }) => base64 !== '');
    if (!sees) added.forEach(drop);
    else if (isWithin([...shown, ...added], maxShown)) shown.push(...added);
    else {
      while (shown.length > 0 && !isWithin([...shown, ...added], keptOfOlder)) drop(shown.shift() as ModelImage);
      while (!isWithin(added, maxShown)) drop(added.shift() as ModelImage);
      shown = [...shown, ...added];
    }
  }
}

function isWithin(images: readonly ModelImage[], { count, length }: typeof maxShown): boolean {
  return images.length <= count && images.reduce((sum, { base64 }) => sum + base64.length, 0) <= length;
}

/**
 * How turns are told: after which of them the model was told what is left of its turns and calls, at the end of their last result; whether the model
 * sees images; and the number of its first turn, where another model had those before.
 */
type Telling = { language: Language; told: StoredRoom['told']; sees: boolean; opaqueFrom?: number };

/** Converts stored turns to those of a request. */
export function toModelTurns(turns: readonly StoredTurn[], { language, told, sees, opaqueFrom = 0 }: Telling): ModelTurn[] {
  return turns.map(({ turn, text, opaque, calls }) => ({
    text,
    ...(turn < opaqueFrom ? { isOthers: true as const } : opaque !== null && { opaque }),
    calls: calls.map((call, position) => {
      const { callId, tool, args, state, images } = call;
      const left = position === calls.length - 1 ? told.find((one) => one.turn === turn) : undefined;
      const note = left && toolText(language, 'roomLeft', { turns: left.turns, calls: left.calls });
      const shown = images?.filter(({ base64 }) => base64 !== '') ?? [];
      const unseen = (images?.length ?? 0) - shown.length;
      const notes = [
        ...(unseen > 0 ? [toolText(language, sees ? 'imagesEarlier' : 'imagesUnseen', { count: unseen })] : []),
        ...(note === undefined ? [] : [note]),
      ];
      const result = [resultOf(call, language), ...notes].join('\n\n');
      return {
        id: callId,
        name: tool,
        arguments: args,
        result,
        isError: state !== 'done',
        ...(shown.length > 0 && { images: shown }),
        ...(note !== undefined && { note }),
      };
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
  return `${toolText(language, 'data', { tool })}\n\n${fenced(text, '')}`;
}
