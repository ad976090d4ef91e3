import en from '../../../../locales/en/simulated.json' with { type: 'json' };
import ru from '../../../../locales/ru/simulated.json' with { type: 'json' };
import type { ModelRequest } from '../language-model.ts';
import { type TaskWords, taskWords } from './task-words.ts';

/** The texts in the task's language (in the run's where it has no letters), and what they can take up from the task. */
export function wordsOf({ task, language }: Pick<ModelRequest, 'task' | 'language'>): { texts: typeof en; words: TaskWords } {
  const texts = /\p{Script=Cyrillic}/u.test(task) || (!/\p{L}/u.test(task) && language === 'ru') ? ru : en;
  return { texts, words: taskWords(task, new Set(texts.stopWords.split(' ')), texts.terms) };
}
