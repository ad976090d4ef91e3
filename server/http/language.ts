import en from '../../locales/en/content/server.json' with { type: 'json' };
import ru from '../../locales/ru/content/server.json' with { type: 'json' };
import type { Language } from './call.ts';

export type ServerText = keyof typeof ru;

const texts: Record<Language, Record<ServerText, string>> = { ru, en };

/** Returns the preferred language of an `Accept-Language` header; Russian when it names neither. */
export function languageOf(header: string | undefined): Language {
  let best: { language: Language; weight: number } | null = null;
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = tag.startsWith('en') ? 'en' : tag.startsWith('ru') ? 'ru' : null;
    const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (language && weight > 0 && (best === null || weight > best.weight)) best = { language, weight };
  }
  return best?.language ?? 'ru';
}

/** Returns a server sentence with its `{{placeholders}}` filled in. */
export function translate(language: Language, text: ServerText, params: Record<string, string | number> = {}): string {
  return texts[language][text].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''));
}

export function isServerText(text: string): text is ServerText {
  return Object.hasOwn(ru, text);
}
