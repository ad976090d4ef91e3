import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageBrowserArguments } from '../../scripts/find-browser.ts';

/** Without software WebGL, which the page does not use and which would take processor time. */
const flags = ['--headless=new', '--disable-gpu', ...pageBrowserArguments.filter((argument) => !argument.includes('swiftshader'))];
const lighthouse = join(import.meta.dirname, 'node_modules', 'lighthouse', 'cli', 'index.js');

/**
 * Runs Lighthouse once on a page, with its mobile profile and a new browser, and returns its report. The report is
 * written to `reports`, if that is a folder, as `<name>.json`. Throws when Lighthouse fails.
 */
export async function auditPage(
  address: string,
  name: string,
  { executablePath, reports }: { executablePath: string; reports: string | null },
): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'artel-lighthouse-'));
  try {
    const file = join(folder, 'report.json');
    await run(address, file, executablePath);
    const report = await readFile(file, 'utf8');
    if (reports !== null) {
      await mkdir(reports, { recursive: true });
      await writeFile(join(reports, `${name}.json`), report);
    }
    return JSON.parse(report);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(address: string, file: string, executablePath: string): Promise<void> {
  const asked = [
    address,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    '--only-categories=performance,accessibility,best-practices,seo',
    '--no-enable-error-reporting',
    `--chrome-flags=${flags.join(' ')}`,
  ];
  const child = spawn(process.execPath, [lighthouse, ...asked], {
    env: { ...process.env, CHROME_PATH: executablePath },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`Lighthouse ended with ${code}: ${said.trim().slice(-500)}`));
    });
  });
}
