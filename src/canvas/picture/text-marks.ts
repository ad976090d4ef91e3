import type { TextLine } from '../scene/text/text-layout.ts';
import { type TextStyle, textStyles } from '../scene/text/text-style.ts';
import type { Mark } from './mark.ts';

/** Returns a line of text with its baseline from (x, y); no marks for a blank line. */
export function textMarks(style: TextStyle, { parts, width }: TextLine, x: number, y: number, colour: number): Mark[] {
  const words = parts.join('');
  if (words.trim() === '') return [];
  const { size, weight, tracking } = textStyles[style];
  return [{ kind: 'text', x, y, width, text: words, size, weight, tracking, colour }];
}
