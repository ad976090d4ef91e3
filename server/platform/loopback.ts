import { isIPv4 } from 'node:net';

/** Whether a name, with or without a port, is one of this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopbackHost(host: string | undefined): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host ?? '') ?? [];
  return /^(localhost|\[::1\])$/i.test(name) || isLoopbackIPv4(name);
}

export function isLoopbackIPv4(text: string): boolean {
  return text.startsWith('127.') && isIPv4(text);
}
