import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageBrowserArguments } from '../../scripts/find-browser.ts';

/** Without WebGL drawn in software, which the page has no use for and which takes the processor from what is measured. */
const flags = ['--headless=new', '--disable-gpu', ...pageBrowserArguments.filter((argument) => !argument.includes('swiftshader'))];
const lighthouse = join(import.meta.dirname, 'node_modules', 'lighthouse', 'cli', 'index.js');

/**
 * Has Lighthouse load a page once, on its mobile profile and in a browser of its own, and answers with its report. The report is
 * left in `reports`, where that is a folder, as `<name>.json`. Throws when Lighthouse could not judge the page.
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
