import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { demoPageFile, demoWeight, maxDemoBytes, maxStillBytes } from './page-weight/demo-weight.ts';
import { landingWeight, maxLandingBytes } from './page-weight/landing-weight.ts';

/**
 * Runs after a build. Fails when the landing page loads too much script before its first screen. Fails too when the demonstration does,
 * before its start on a phone or before its first step.
 */
const dist = join(import.meta.dirname, '..', 'dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
const assets = readdirSync(join(dist, 'assets'));
let heavy = false;
for (const language of ['ru', 'en'] as const) {
  const bytes = landingWeight(manifest, language, (file) => readFileSync(join(dist, file)));
  heavy ||= bytes > maxLandingBytes;
  console.log(
    `The landing page (${language}) begins with ${(bytes / 1_000).toFixed(1)} kB of script; ${maxLandingBytes / 1_000} kB are allowed.`,
  );
  const stillBytes = sentBytes(demoPageFile(language));
  heavy ||= stillBytes > maxStillBytes;
  console.log(
    `The demonstration (${language}) loads ${(stillBytes / 1_000).toFixed(1)} kB on a phone before it is asked for; ${maxStillBytes / 1_000} kB are allowed.`,
  );
  const demoBytes = demoWeight(
    { manifest, assets, sentBytes, textOf: (asset) => readFileSync(join(dist, 'assets', asset), 'utf8') },
    language,
  );
  heavy ||= demoBytes > maxDemoBytes[language];
  console.log(
    `The demonstration (${language}) loads ${(demoBytes / 1_000).toFixed(1)} kB before its first step; ${maxDemoBytes[language] / 1_000} kB are allowed.`,
  );
}
process.exitCode = heavy ? 1 : 0;

/** The size as the server sends it: compressed by the build, fonts as they are, and pages compressed on request. */
function sentBytes(file: string): number {
  const path = join(dist, file);
  if (existsSync(`${path}.br`)) return statSync(`${path}.br`).size;
  return file.endsWith('.html') ? brotliCompressSync(readFileSync(path)).length : statSync(path).size;
}
