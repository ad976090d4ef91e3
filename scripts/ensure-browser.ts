import { spawnSync } from 'node:child_process';
import { findBrowser } from './find-browser.ts';

/** Returns null when there is a Chromium to test with, installing Debian's as root when there is none; else one line that says what to install. */
export async function ensureBrowser(): Promise<string | null> {
  if (findBrowser() !== null) return null;
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (isRoot && succeeds('apt-get', ['--version'], 'ignore')) {
    console.log('No Chromium found: installing the one of Debian.');
    succeeds('apt-get', ['update'], 'inherit');
    succeeds('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], 'inherit');
    if (findBrowser() !== null) return null;
  }
  return 'The browser tests need Chromium: install chromium or Google Chrome (Debian: sudo apt-get install chromium), or name one with CHROMIUM=/path/to/it.';
}

function succeeds(command: string, args: string[], stdio: 'inherit' | 'ignore'): boolean {
  return spawnSync(command, args, { stdio, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
}
