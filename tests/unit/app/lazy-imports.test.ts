import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../../src');
/** Files that may import dynamically in another way, and why that harms no page. */
const exceptions: Record<string, string> = {
  'session/lazy-auth-calls.ts': 'what does not arrive is answered as a lost network, and asked for again by the next call',
  'workers/engine/agents/fallback-agents.ts': 'runs in the worker',
  'ui/i18n/resources.d.ts': 'types alone',
};
/** A dynamic import that nothing waits for and whose failure has no effect. */
const prefetch = /void import\([^)]*\)(?:\s*\.catch\(|\.then\(\(\{ watchStorage)/;

test('every lazy component and every dynamic import of the page uses the import with retries', () => {
  const bare: string[] = [];
  for (const file of files()) {
    if (exceptions[file]) continue;
    for (const line of readFileSync(join(source, file), 'utf8').split('\n')) if (isBare(file, line)) bare.push(`${file}: ${line.trim()}`);
  }
  expect(bare).toEqual([]);
});

test('each exception still has a dynamic import', () => {
  for (const file of Object.keys(exceptions)) expect(readFileSync(join(source, file), 'utf8')).toMatch(/\bimport\(/);
});

test.each([
  "const Page = lazy(() => import('./page.tsx'));",
  "import { lazy, Suspense } from 'react';",
  "const { send } = await import('./send.ts');",
  "  import('./editor.ts').then(take);",
])('a line such as %s is refused', (line) => {
  expect(isBare('app/a.tsx', line)).toBe(true);
});

test.each([
  "const Page = lazyPart(() => import('./page.tsx').then((file) => file.Page));",
  "  () => import('./account-windows.tsx').then((file) => file.AccountWindows),",
  "const { send } = await importPart(() => import('./send.ts'));",
  "void import('./later.ts').catch(() => undefined);",
])('a line such as %s is allowed', (line) => {
  expect(isBare('app/a.tsx', line)).toBe(false);
});

/** Finds dynamic imports without a retry: only `lazyPart` and `importPart` may take the import function, `lazy` may not. */
function isBare(file: string, line: string): boolean {
  if (file !== 'ui/loading/lazy-part.tsx' && /\blazy\b\s*(?:<|\(|,|\})/.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line)) return true;
  if (!/\bimport\(/.test(line) || prefetch.test(line)) return false;
  return !/(?:lazyPart|importPart)\(|=>\s*(?:Promise\.all\(\[)?import\(/.test(line);
}

function files(): string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1));
}
