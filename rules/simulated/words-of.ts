import type { SimulatedRequest, SimulatedTexts, TextsByLanguage } from './simulated-request.ts';
import { type TaskWords, taskWords } from './task-words.ts';

/** Returns the texts in the task's language (in the run's if it has no letters), and the task's words for them. */
export function wordsOf(
  { task, language }: Pick<SimulatedRequest, 'task' | 'language'>,
  { ru, en }: TextsByLanguage,
): { texts: SimulatedTexts; words: TaskWords } {
  const texts = /\p{Script=Cyrillic}/u.test(task) || (!/\p{L}/u.test(task) && language === 'ru') ? ru : en;
  return { texts, words: taskWords(task, new Set(texts.stopWords.split(' ')), texts.terms) };
}
