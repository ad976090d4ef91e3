import type { Conversation, EarlierResult, ModelImage, ModelRequest, ModelTurn, ToolDefinition } from './language-model.ts';

/**
 * The longest prompt, with tools and earlier turns (UTF-16 units): about a million tokens of English, which is as much as the largest models read.
 */
export const maxPromptLength = 4 * 1024 * 1024;
/** Headings, separators and fixed sentences of a prompt (UTF-16 units): of each part, and of the whole. */
const partLength = 128;
const formLength = 4 * 1024;
/** The shortest beginning of a result that is worth handing on (UTF-16 units). */
export const minResultLength = 1_000;

/** Returns the length of a turn's prompt without building it, rounded up. */
export function lengthOfRequest({ systemPrompt, task, earlier, contexts, inputs, inGraph, tools, turns }: ModelRequest): number {
  const listed = [...(inputs?.files ?? []), ...(inputs?.named ?? []), ...(inputs?.tree?.folders ?? [])].map(({ path }) => path);
  const files = inputs ? [...listed, ...inputs.texts.flatMap(({ path, text }) => [path, text])] : [];
  const graph = inGraph ? [inGraph.item?.text ?? '', inGraph.revision?.draft ?? '', inGraph.revision?.note ?? ''] : [];
  const results = earlier.flatMap(({ title, text, tests = [] }) => [title, text, ...tests.flatMap(({ command, log }) => [command, log])]);
  return formLength + lengthOf([systemPrompt, task, ...results, ...contexts, ...files, ...graph]) + lengthOfTools({ tools, turns });
}

/** Returns the length of a conversation as it is sent, rounded up. */
export function lengthOfConversation({ messages, tools, turns }: Conversation): number {
  return formLength + lengthOf(messages.map(({ content }) => content)) + lengthOfTools({ tools, turns });
}

/** Returns the length of all images as they are sent (UTF-16 units). They are no part of the prompt's text, and need memory as it does. */
export function lengthOfImages(asked: Parameters<typeof imagesOf>[0]): number {
  return imagesOf(asked).reduce((sum, { base64 }) => sum + base64.length, 0);
}

/** Returns the images of a request or of a conversation: of the user's files, and of results. */
export function imagesOf({
  inputs,
  messages = [],
  turns = [],
}: Pick<ModelRequest, 'inputs' | 'turns'> & Partial<Pick<Conversation, 'messages'>>): ModelImage[] {
  const ofResults = turns.flatMap(({ calls }) => calls.flatMap((call) => call.images ?? []));
  return [...(inputs?.images ?? []), ...messages.flatMap(({ images = [] }) => images), ...ofResults];
}

/**
 * Returns the request with its longest earlier results cut to one common length, as far as the prompt would be longer than `maxPromptLength`.
 * `toNote` returns a note for the length of a whole result. A request that is too long without its results stays as it is.
 */
export function shortenResults(request: ModelRequest, toNote: (length: number) => string): ModelRequest {
  const length = lengthOfRequest(request);
  if (length <= maxPromptLength) return request;
  const lengths = request.earlier.map(({ text }) => text.length);
  const notes = request.earlier.length * partLength * 2;
  const kept = commonLength(lengths, maxPromptLength - notes - (length - lengths.reduce((sum, one) => sum + one, 0)));
  return kept < minResultLength ? request : cutResults(request, kept, toNote);
}

/** Returns the request with earlier results of at most `kept` characters, each with a note, and with the ends of their logs. */
export function cutResults(request: ModelRequest, kept: number, toNote: (length: number) => string): ModelRequest {
  const cut = (result: EarlierResult): EarlierResult => ({
    ...result,
    text: result.text.length <= kept ? result.text : `${result.text.slice(0, kept).toWellFormed()}\n\n${toNote(result.text.length)}`,
    // The end of a log says why the tests failed.
    ...(result.tests && { tests: result.tests.map((tests) => ({ ...tests, log: tests.log.slice(-kept).toWellFormed() })) }),
  });
  return { ...request, earlier: request.earlier.map(cut) };
}

/** Returns the length to which the longest of these are to be cut so that all together have `room`. */
export function commonLength(lengths: readonly number[], room: number): number {
  let left = room;
  let many = lengths.length;
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length * many > left) return Math.floor(left / many);
    left -= length;
    many -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + partLength, 0);
}

type Tools = { tools: readonly ToolDefinition[] | undefined; turns: readonly ModelTurn[] | undefined };

function lengthOfTools({ tools = [], turns = [] }: Tools): number {
  const said = turns.flatMap(({ text, calls }) => [text, ...calls.flatMap((call) => [call.arguments, call.result])]);
  return lengthOf(said) + lengthOf(tools.map((tool) => JSON.stringify(tool)));
}
