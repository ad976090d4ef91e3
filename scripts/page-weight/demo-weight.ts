import { builtPieces, type Manifest } from '../client-build/built-pieces.ts';
import { demoParts, demoTexts } from '../client-build/demo-parts.ts';

/** The bytes that the demo may load before its first step, as sent: 15 kB more than when this limit was set. */
export const maxDemoBytes: Record<'ru' | 'en', number> = { ru: 673_000, en: 650_000 };

/** The bytes of its page, as sent: all that a phone loads before the visitor asks for the demo. */
export const maxStillBytes = 28_000;

/** The font files that the page needs, by their letters. */
const faces = { ru: ['cyrillic', 'latin'], en: ['latin'] } as const;

type BuiltClient = {
  manifest: Manifest;
  /** The names of all files in the build's `assets`. */
  assets: readonly string[];
  /** How many bytes of a file are sent, by its path in the build. */
  sentBytes: (file: string) => number;
  /** The text of a file in `assets`. */
  textOf: (asset: string) => string;
};

/**
 * Adds up the sizes that the demonstration's page loads before its run begins: page, scripts, texts, the engine's worker with what it
 * imports, and the font files. Throws for an asset that is not in the build.
 */
export function demoWeight({ manifest, assets, sentBytes, textOf }: BuiltClient, language: 'ru' | 'en'): number {
  const { scripts } = builtPieces(manifest, ['index.html', ...demoParts(manifest), ...demoTexts(language)]);
  const worker = assetCalled(assets, 'demo.worker-');
  const engine = [worker, ...importedBy(textOf(worker))];
  const fonts = faces[language].map((face) => assetCalled(assets, `inter-${face}-wght-normal-`));
  const files = [demoPageFile(language), ...scripts, ...[...engine, ...fonts].map((name) => `assets/${name}`)];
  return files.reduce((sum, file) => sum + sentBytes(file), 0);
}

/** The files that a script imports before it begins, by the names in `assets`. The build shares no more than one level of them. */
function importedBy(script: string): string[] {
  return [...script.matchAll(/\}from"\.\/([\w-]+\.js)"/g)].flatMap(([, name]) => name ?? []);
}

/** The page's file in the build. */
export function demoPageFile(language: 'ru' | 'en'): string {
  return `.pages/${language}/public-test.html`;
}

function assetCalled(assets: readonly string[], start: string): string {
  const found = assets.find((name) => name.startsWith(start) && (name.endsWith('.js') || name.endsWith('.woff2')));
  if (found === undefined) throw new Error(`The build has no ${start}*`);
  return found;
}
