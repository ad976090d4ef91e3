import type {
  JSONObject,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from '@ai-sdk/provider';
import en from '../../../../locales/en/content/prompt.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/prompt.json' with { type: 'json' };
import type { ChatMessage, Conversation, ModelImage, ModelTurn } from '../language-model.ts';
import { portableId } from '../refusals/portable-id.ts';
import { type KeptTurn, readKeptTurn, type Source } from './kept-turn.ts';

/** How a protocol takes results: as text with images behind it, with images inside, or as JSON that says whether the call failed. */
export type ResultForm = 'text' | 'parts' | 'json';

const goOn = { ru: ru.goOn, en: en.goOn };

/**
 * Returns the messages of a conversation and its earlier turns. A turn goes back to `source` as it came from there. The calls of another model get ids that every
 * server takes.
 */
export function toPrompt({ messages, turns = [], speaker }: Conversation, form: ResultForm, source: Source): LanguageModelV4Prompt {
  const uses = new Map<string, number>();
  const about = { form, source, goOn: goOn[speaker.language] };
  return [...messages.map(messageOf), ...turns.flatMap((turn) => turnMessages(turn, about, uses))];
}

function messageOf({ role, content, images = [] }: ChatMessage): LanguageModelV4Message {
  if (role === 'system') return { role, content };
  if (role === 'assistant') return { role, content: [textPart(content)] };
  return { role, content: [textPart(content), ...images.map(imagePart)] };
}

type About = { form: ResultForm; source: Source; goOn: string };

/** Returns the messages of an earlier turn: what the model wrote, then the result of each call, or the request to go on. */
function turnMessages(given: ModelTurn, { form, source, goOn }: About, uses: Map<string, number>): LanguageModelV4Message[] {
  const kept = readKeptTurn(given, source);
  const turn = given.isOthers ? withPortableIds(given, uses) : given;
  const written = assistantMessage(turn, kept);
  if (turn.calls.length === 0) {
    const asked: LanguageModelV4Message = { role: 'user', content: [textPart(goOn)] };
    if (kept?.isPaused) return written;
    return [...written, asked];
  }
  const results = turn.calls.map((call) => ({
    type: 'tool-result' as const,
    toolCallId: call.id,
    toolName: call.name,
    output: outputOf(call, form),
  }));
  // The message of a tool has text only: images follow in a message of their own, each after the call that it belongs to.
  const images = turn.calls.flatMap((call) =>
    call.images?.length ? [textPart(`${call.name} (${call.id}):`), ...call.images.map(imagePart)] : [],
  );
  const shown: LanguageModelV4Message[] = images.length > 0 && form !== 'parts' ? [{ role: 'user', content: images }] : [];
  return [...written, { role: 'tool', content: results }, ...shown];
}

/** `uses`: how many calls before these have an id. Servers want one of its own for each call. */
function withPortableIds(turn: ModelTurn, uses: Map<string, number>): ModelTurn {
  const calls = turn.calls.map((call) => {
    const use = uses.get(call.id) ?? 0;
    uses.set(call.id, use + 1);
    return { ...call, id: portableId(call.id, use) };
  });
  return { ...turn, calls };
}

function assistantMessage({ text, calls }: ModelTurn, kept: KeptTurn | null): LanguageModelV4Message[] {
  const plain = () => [
    ...(text.trim() === '' ? [] : [textPart(text)]),
    ...calls.map(({ id, name, arguments: written }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input: written })),
  ];
  const content = (kept?.content ?? plain()).map((part) => (part.type === 'tool-call' ? { ...part, input: asObject(part.input) } : part));
  return content.length === 0 ? [] : [{ role: 'assistant', content, ...(kept?.options && { providerOptions: kept.options }) }];
}

/** Returns arguments as JSON of an object; an empty one for a text that is none, since servers refuse it. */
function asObject(written: unknown): unknown {
  try {
    const value: unknown = typeof written === 'string' ? JSON.parse(written) : null;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? written : {};
  } catch {
    return {};
  }
}

type Output = Extract<Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output'];

function outputOf({ result, isError, images = [] }: ModelTurn['calls'][number], form: ResultForm): Output {
  if (form === 'json') return { type: 'json', value: (isError ? { error: result } : { result }) satisfies JSONObject };
  if (form === 'parts' && images.length > 0) return { type: 'content', value: [textPart(result), ...images.map(imagePart)] };
  return { type: isError ? 'error-text' : 'text', value: result };
}

function textPart(text: string): LanguageModelV4TextPart {
  return { type: 'text', text };
}

function imagePart({ mime, base64 = '' }: ModelImage): LanguageModelV4FilePart {
  return { type: 'file', mediaType: mime, data: { type: 'data', data: base64 } };
}
