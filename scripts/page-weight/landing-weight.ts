import { gzipSync } from 'node:zlib';

/** What Vite writes of each piece of a build, as far as it counts here. */
export type Manifest = Record<string, { file: string; imports?: string[] }>;

/** The script that the landing page may load before its first screen stands, in bytes after gzip. */
export const mostLandingBytes = 115_000;

/** What the first screen waits for: the page's start, the landing page, and the texts of its areas. What comes later is not among it. */
const firstOf = (language: string) => [
  'index.html',
  'src/app/landing-app.tsx',
  `locales/${language}/common.json`,
  `locales/${language}/landing.json`,
];

/** Adds up what the first screen of the landing page loads, each piece once, after gzip. Throws for a piece that is not in the build. */
export function landingWeight(manifest: Manifest, language: string, read: (file: string) => Buffer): number {
  const found = new Set<string>();
  const visit = (name: string) => {
    const piece = manifest[name];
    if (!piece) throw new Error(`The build has no ${name}`);
    if (found.has(piece.file)) return;
    found.add(piece.file);
    for (const next of piece.imports ?? []) visit(next);
  };
  for (const name of firstOf(language)) visit(name);
  return [...found].reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
}
