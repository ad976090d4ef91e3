import { latinName } from '../text/latin-letters.ts';
import type { SimulatedRequest, SimulatedTexts, TextsByLanguage } from './simulated-request.ts';

/** The maximum of read characters of a task: later ones add nothing to a subject line. */
const readLength = 4_000;
const subjectLength = 70;

type TaskWords = {
  /** The task's first sentence, cut at a word. */
  subject: string;
  /** Three significant words of the task, in its own spelling. */
  terms: [string, string, string];
  /** A folder name in Latin letters. */
  slug: string;
};

/** The words of a task that an answer can use. `spare` is used when the task has too few significant words. */
function taskWords(task: string, stopWords: ReadonlySet<string>, spare: readonly string[]): TaskWords {
  const text = plainText(task).slice(0, readLength);
  const found = new Map<string, string>();
  for (const word of text.toLowerCase().match(/[\p{L}][\p{L}\p{N}-]{3,}/gu) ?? []) {
    const stem = word.slice(0, 5);
    if (!stopWords.has(word) && !found.has(stem)) found.set(stem, word);
    if (found.size === 3) break;
  }
  const [a, b, c] = [...found.values(), ...spare];
  const terms: TaskWords['terms'] = [a ?? '', b ?? '', c ?? ''];
  return { subject: cutAtWord(firstSentence(text), subjectLength), terms, slug: latinName(terms[0]) || 'feature' };
}

/** Returns the texts in the task's language (in the run's if it has no letters), and the task's words for them. */
export function wordsOf(
  { task, language }: Pick<SimulatedRequest, 'task' | 'language'>,
  { ru, en }: TextsByLanguage,
): { texts: SimulatedTexts; words: TaskWords } {
  const texts = /\p{Script=Cyrillic}/u.test(task) || (!/\p{L}/u.test(task) && language === 'ru') ? ru : en;
  return { texts, words: taskWords(task, new Set(texts.stopWords.split(' ')), texts.terms) };
}

/** The text on one line, without Markdown's marks. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/[`*]+/g, '')
    .replace(/[>#|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Cuts a text to at most `length` characters at the end of a word, with an ellipsis if something was cut. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  const space = head.lastIndexOf(' ');
  return `${withoutTrailingMarks(space > length / 2 ? head.slice(0, space) : head)}…`;
}

function withoutTrailingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,;:–-]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?](\s|$)/);
  return end > 0 ? text.slice(0, end) : text;
}
