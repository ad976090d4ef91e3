import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

/** Opens an address in the browser of a person who sits at this machine. Where there is none, nothing happens: the address is printed. */
export function openBrowser(url: string): void {
  const { CI, DISPLAY, SSH_CONNECTION, WAYLAND_DISPLAY } = process.env;
  const isDesktop = process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
  const [command, ...args] = openers[process.platform] ?? [];
  if (command === undefined || !isDesktop || !process.stdout.isTTY || CI || SSH_CONNECTION) return;
  const browser = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  browser.once('error', () => {});
  browser.unref();
}
