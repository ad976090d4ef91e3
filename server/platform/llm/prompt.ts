import { isBeforeTests } from '../../../contract/executions/test-run.ts';
import en from '../../../locales/en/content/prompt.json' with { type: 'json' };
import pullRequestEn from '../../../locales/en/content/pull-request.json' with { type: 'json' };
import ru from '../../../locales/ru/content/prompt.json' with { type: 'json' };
import pullRequestRu from '../../../locales/ru/content/pull-request.json' with { type: 'json' };
import { answerHeading } from './answer-section.ts';
import type { ChatMessage, Conversation, EarlierTests, ModelRequest, PromptFiles } from './language-model.ts';
import { shortenResults } from './prompt-length.ts';

const words = { ru, en };
/** How many characters of a commit's hash a prompt names. */
const shownSha = 12;
/** Why tests have no exit code. */
const testWords = { ru: pullRequestRu, en: pullRequestEn };

/**
 * The version of the words and the form of prompts. A change of either needs a new one: results that were asked for in another form are
 * not reused.
 */
export const promptFormat = 4;

/** Returns the request with results that fit into a prompt: the longest ones are cut, and say so. */
export function boundedRequest(request: ModelRequest): ModelRequest {
  return shortenResults(request, (length) => noteOfCut(request.language, length));
}

/** What stands after a result that is cut: its whole length. */
export function noteOfCut(language: ModelRequest['language'], length: number): string {
  return fill(words[language].shortened, { length });
}

/** Builds the messages of an agent's turn: the agent's system prompt, then its task. */
export function conversationOf(asked: ModelRequest): Conversation {
  const turn = boundedRequest(asked);
  const { role, agentTitle, language, systemPrompt, temperature, maxTokens, cacheKey, idempotencyKey } = turn;
  const asking = userMessage(turn);
  return {
    messages: [...(systemPrompt ? [{ role: 'system' as const, content: systemPrompt }] : []), asking],
    speaker: { role, agentTitle, language },
    turn,
    ...(turn.tools && { tools: turn.tools }),
    ...(turn.turns && { turns: turn.turns }),
    temperature,
    maxTokens,
    effort: turn.effort ?? null,
    ...(cacheKey !== undefined && { cacheKey }),
    idempotencyKey,
  };
}

/**
 * Builds the user message of one agent's turn. The user's files come first: they are the same for all agents of a run, and servers cache prompts from
 * their beginning.
 */
function userMessage(turn: ModelRequest): ChatMessage {
  const { inputs } = turn;
  const images = inputs?.images ?? [];
  const base = inputs && inputs.count > 0 ? `${fileParts(inputs, turn.language).join('\n\n')}\n\n` : '';
  return {
    role: 'user',
    content: base + askingPrompt(turn),
    ...(base !== '' && { stable: base.length }),
    ...(images.length > 0 && { images }),
  };
}

/**
 * The task, every earlier result in order, and added texts, each under a heading in the run's language. Then follow the required form of the answer
 * and of files (R42), and forbidden claims.
 */
function askingPrompt(request: ModelRequest): string {
  const say = words[request.language];
  const parts = [`# ${say.task}\n\n${request.task}`];
  if (request.earlier.length > 0) {
    const results = request.earlier.map(({ title, text, isCut, tests = [] }) =>
      [`## ${title}\n\n${isCut ? `${say.cut}\n\n` : ''}${text}`, ...tests.map((executed) => testsText(executed, request.language))].join(
        '\n\n',
      ),
    );
    parts.push(`# ${say.earlier}\n\n${results.join('\n\n')}`);
  }
  if (request.contexts.length > 0) parts.push(`# ${say.contexts}\n\n${request.contexts.join('\n\n')}`);
  parts.push(
    ...graphParts(request),
    say.turn,
    say.form.replace('{heading}', answerHeading(request.language)),
    filesPart(request),
    say.honesty,
    ...demands(request),
    ...summaryParts(request),
  );
  return parts.join('\n\n');
}

/** What was executed for a result, and the end of its log in a fence. The log is data: the prompt says so. */
export function testsText(
  { item, command, exitCode, reason, missing, counts, isSimulated, isByAgent, log }: EarlierTests,
  language: ModelRequest['language'],
): string {
  const say = words[language].tests;
  const { reasons, missing: lacks, cure } = testWords[language];
  const known = reasons[reason ?? 'cut_off'];
  const why = missing === null ? known : fill(lacks, { reason: known, missing });
  const ended = exitCode === null ? fill(say.notEnded, { reason: why }) : fill(say.ended, { code: exitCode });
  const about = [
    ...(item > 0 ? [fill(say.item, { item })] : []),
    isSimulated ? say.simulated : isByAgent ? say.byAgent : say.executed,
    ended,
    ...(isBeforeTests(reason) ? [cure] : []),
    ...(counts ? [fill(say.counts, counts)] : []),
    ...(exitCode === 0 && counts && counts.failed > 0 ? [say.contradiction] : []),
  ].join(' ');
  const fencedCommand = command === '' ? '' : `\n\n${fenced(command)}`;
  return `### ${say.title}\n\n${about}${fencedCommand}${log === '' ? '' : `\n\n${say.log}\n\n${fenced(log)}`}`;
}

/**
 * How files are handed over: with tools where the agent has those that change files, else whole in fences. An agent whose tools only read hands over
 * none.
 */
function filesPart({ tools = [], inputs, language }: Pick<ModelRequest, 'tools' | 'inputs' | 'language'>): string {
  const has = (tool: string) => tools.some(({ name }) => name === tool);
  const say = words[language];
  if (has('edit_file')) return say.filesByTools;
  if (has('read_file')) return say.filesAreRead;
  return inputs ? `${say.files} ${say.handOverWhole}` : say.files;
}

/** The user's files by name or by folder, and some texts in fences. They are data: the prompt says so. */
function fileParts(
  { files, count, git, tree, named = [], texts, textsLeftOut = 0, images = [] }: PromptFiles,
  language: ModelRequest['language'],
): string[] {
  const say = words[language];
  const more = count > files.length && !tree ? [fill(say.moreInputs, { count: count - files.length })] : [];
  const unseen = files.filter(({ isImage }) => isImage).length - images.length;
  const ofTexts = [
    ...(texts.length > 0 ? [say.inputsInFull] : []),
    ...(textsLeftOut > 0 ? [fill(say.textsLeftOut, { count: textsLeftOut })] : []),
  ];
  const list = [...linesOf(files, language), ...more];
  return [
    `# ${say.inputs}\n\n${[say.inputsAreData, ...ofTexts].join(' ')}${git ? `\n\n${fill(say.git, { ...git, sha: git.sha.slice(0, shownSha) })}` : ''}`,
    ...(list.length > 0 ? [list.join('\n')] : []),
    ...(tree ? [treePart(tree, count - files.length, language)] : []),
    ...(named.length > 0 ? [`${say.namedFiles}\n\n${linesOf(named, language).join('\n')}`] : []),
    ...(images.length > 0 ? [say.imagesFollow] : []),
    ...(unseen > 0 ? [fill(say.imagesUnseen, { count: unseen })] : []),
    ...texts.map(({ path, text, bytes }) => {
      const note = bytes === undefined ? '' : `${fill(say.beginning, { shown: Buffer.byteLength(text), bytes })}\n\n`;
      return `## ${path}\n\n${note}${fenced(text)}`;
    }),
  ];
}

function treePart({ folders, left }: NonNullable<PromptFiles['tree']>, count: number, language: ModelRequest['language']): string {
  const say = words[language];
  const lines = folders.map(({ path, files }) => `- ${path} (${files})`);
  return `${fill(say.folders, { count })}\n\n${[...lines, ...(left > 0 ? [fill(say.moreFolders, { count: left })] : [])].join('\n')}`;
}

/** A line for each file: its size, and what is to be known of its content. */
function linesOf(files: PromptFiles['files'], language: ModelRequest['language']): string[] {
  const say = words[language];
  return files.map(({ path, bytes, isReadable, isImage, encoding, replaced = 0 }) => {
    const size = fill(isImage ? say.imageSize : isReadable ? say.fileSize : say.binarySize, { bytes });
    const notes = [
      ...(encoding ? [fill(say.readAs, { encoding })] : []),
      ...(replaced > 0 ? [fill(say.replaced, { count: replaced })] : []),
    ];
    return `- ${path} (${[size, ...notes].join('; ')})`;
  });
}

/** Puts a text into a fence that is longer than any in the text, so that it cannot end it. */
function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** What the turn works on in a run that is a graph. */
function graphParts({ inGraph, language }: Pick<ModelRequest, 'inGraph' | 'language'>): string[] {
  if (!inGraph) return [];
  const say = words[language];
  const { item, notAccepted, revision } = inGraph;
  return [
    ...(item ? [`${fill(say.item, { number: item.number, of: item.of })}\n\n${item.text}`] : []),
    ...notAccepted.map((about) => fill(say.notAccepted, about)),
    ...(revision ? [`${say.revision}\n\n${revision.note || say.revisionWithoutNote}\n\n## ${say.draft}\n\n${revision.draft}`] : []),
  ];
}

/** What the model wrote about turns that are left out. */
function summaryParts({ summary, language }: Pick<ModelRequest, 'summary' | 'language'>): string[] {
  if (!summary) return [];
  const say = words[language];
  return [`# ${say.summary}\n\n${fill(say.summaryNote, { count: summary.results })}\n\n${summary.text}`];
}

/** What the answer must have: a list, or a choice in its last line. */
function demands({ inGraph, language }: Pick<ModelRequest, 'inGraph' | 'language'>): string[] {
  if (!inGraph) return [];
  const say = words[language];
  const { isList, choices, isAskedAgain } = inGraph;
  const labels = choices.map(({ label }) => label);
  const asked = fill(isAskedAgain ? say.chooseAgain : say.choose, { labels: labels.join(', '), first: labels[0] ?? '' });
  return [...(isList ? [say.list] : []), ...(labels.length > 0 ? [asked] : [])];
}

function fill(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
