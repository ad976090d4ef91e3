import en from '../../../locales/en/nodes.json' with { type: 'json' };
import ru from '../../../locales/ru/nodes.json' with { type: 'json' };
import type { NodeTexts } from '../../model/document/place-item.ts';

/** The words of new cards in a language; Russian unless it is English. */
export function nodeTexts(language: string): NodeTexts {
  return language.toLowerCase().startsWith('en') ? en : ru;
}
