import { gzipSync } from 'node:zlib';
import { builtPieces, type Manifest } from '../client-build/built-pieces.ts';

/** The script that the landing page may load before its first screen, in bytes after gzip. */
export const maxLandingBytes = 115_000;

/** The parts that the first screen waits for: the entry, the landing page, and its texts. Later parts do not count. */
const firstOf = (language: string) => [
  'index.html',
  'src/app/landing-app.tsx',
  `locales/${language}/common.json`,
  `locales/${language}/landing.json`,
];

/**
 * Adds up the sizes that the first screen of the landing page loads, each asset once, after gzip. Throws for an asset that is not in the
 * build.
 */
export function landingWeight(manifest: Manifest, language: string, read: (file: string) => Buffer): number {
  return builtPieces(manifest, firstOf(language)).scripts.reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
}
