import en from '../../../locales/en/content/prompt.json' with { type: 'json' };
import ru from '../../../locales/ru/content/prompt.json' with { type: 'json' };
import type { Language } from './language-model.ts';

const words = { ru: ru.answer, en: en.answer };

/** The heading of an agent's answer: the text before it is its thoughts. R46 */
export function answerHeading(language: Language): string {
  return `# ${words[language]}`;
}

/**
 * Splits an agent's text at the first answer heading, in either language, one level deeper, or in bold instead. A heading in a code
 * block is code. A leading `<think>` block counts as thoughts. Without a heading, or with nothing below it, there are no thoughts, and
 * the whole text is the answer. The answer is blank only for a blank text.
 */
export function splitThoughts(text: string): { thoughts: string | null; answer: string } {
  const { reasoning, rest } = leadingReasoning(text);
  const heading = findHeading(rest);
  const before = heading ? rest.slice(0, heading.start).trim() : '';
  const after = heading ? rest.slice(heading.end).trim() : '';
  if (after !== '') return { thoughts: reasoning || before || null, answer: after };
  if (before !== '') return { thoughts: reasoning || null, answer: before };
  return rest.trim() === '' ? { thoughts: null, answer: text } : { thoughts: reasoning || null, answer: rest };
}

const thinkBegin = '<think>';
const thinkEnd = '</think>';

function leadingReasoning(text: string): { reasoning: string; rest: string } {
  const begun = text.trimStart();
  const end = begun.startsWith(thinkBegin) ? begun.indexOf(thinkEnd) : -1;
  if (end < 0) return { reasoning: '', rest: text };
  return { reasoning: begun.slice(thinkBegin.length, end).trim(), rest: begun.slice(end + thinkEnd.length).trimStart() };
}

const word = `(?:${Object.values(words).join('|')})`;
const shortestWord = Math.min(...Object.values(words).map(({ length }) => length));
const headingLine = new RegExp(
  `^ {0,3}(?:#{1,2}[ \\t]+(?:\\*\\*|__)?${word}:?(?:\\*\\*|__)?:?(?:[ \\t]+#+)?|\\*\\*${word}:?\\*\\*:?|__${word}:?__:?)[ \\t]*$`,
  'iu',
);
/** Matches every character: where the rest of a line could fail to match, a long fence would be tried again at each mark. */
const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/s;

/** Returns the position of the first answer heading outside code blocks; null if there is none. */
function findHeading(text: string): { start: number; end: number } | null {
  let fence: string | null = null;
  let end = 0;
  for (let start = 0; start <= text.length; start = end + 1) {
    const feed = text.indexOf('\n', start);
    end = feed < 0 ? text.length : feed;
    const mark = markOf(text, start);
    // Most lines start no heading: they cost no more than the search for their end.
    if (!'`~#*_'.includes(mark)) continue;
    const line = text.slice(start, end);
    const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
    if ('#*_'.includes(mark)) {
      if (fence === null && bare.length > shortestWord && headingLine.test(bare)) return { start, end };
      continue;
    }
    const [, marks = '', info = ''] = fenceLine.exec(bare) ?? [];
    if (marks === '') continue;
    if (fence !== null) {
      if (marks.startsWith(fence) && info.trim() === '') fence = null;
    } else if (!(marks.startsWith('`') && info.includes('`'))) fence = marks;
  }
  return null;
}

/** Returns the first character of a line after at most three spaces of indentation. */
function markOf(text: string, start: number): string {
  let at = start;
  while (at < start + 3 && text[at] === ' ') at += 1;
  return text[at] ?? '\n';
}
