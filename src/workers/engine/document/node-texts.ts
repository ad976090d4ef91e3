import en from '../../../../locales/en/nodes.json' with { type: 'json' };
import ru from '../../../../locales/ru/nodes.json' with { type: 'json' };
import type { NodeTexts } from '../../../model/document/place-item.ts';

/** The texts of new nodes in a language: English, else Russian. */
export function nodeTexts(language: string): NodeTexts {
  return language.toLowerCase().startsWith('en') ? en : ru;
}
