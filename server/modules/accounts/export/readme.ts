import en from '../../../../locales/en/content/export.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/export.json' with { type: 'json' };
import type { Language } from '../../../http/call.ts';
import { accountFiles } from '../account-tables.ts';

type Text = keyof typeof ru;

const texts: Record<Language, Record<Text, string>> = { ru, en };

const ofProject = 'projects/*';
const ofRun = `${ofProject}/runs/*`;

/** The files and folders of an export, and the text about each. */
const places: readonly (readonly [string, Text])[] = [
  ...accountFiles.map((file) => [`${file}.json`, file] as const),
  [`${ofProject}/project.json`, 'project'],
  [`${ofProject}/canvas.json`, 'canvas'],
  [`${ofProject}/versions/`, 'versions'],
  [`${ofProject}/inputs/`, 'inputs'],
  [`${ofRun}/run.json`, 'run'],
  [`${ofRun}/files/`, 'files'],
];

/** The text that says what is where in an export. Its lines end as all systems read them. */
export function readmeOf(language: Language): string {
  const text = texts[language];
  const lines = [text.title, '', ...places.map(([path, about]) => `${path} - ${text[about]}`), '', text.format, '', text.absent, ''];
  return lines.join('\r\n');
}
