import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { landingWeight, mostLandingBytes } from './page-weight/landing-weight.ts';

/** Run after a build: fails when the landing page loads more script before its first screen than it may. */
const dist = join(import.meta.dirname, '..', 'dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
let heavy = false;
for (const language of ['ru', 'en'] as const) {
  const bytes = landingWeight(manifest, language, (file) => readFileSync(join(dist, file)));
  heavy ||= bytes > mostLandingBytes;
  console.log(
    `The landing page (${language}) begins with ${(bytes / 1_000).toFixed(1)} kB of script; ${mostLandingBytes / 1_000} kB are allowed.`,
  );
}
process.exitCode = heavy ? 1 : 0;
