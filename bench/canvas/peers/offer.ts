import type { Adapter } from '../adapter.ts';

/** Hands the page's adapter to the harness. */
export function offer(adapter: Omit<Adapter, 'ready'>): void {
  Object.assign(window, { __bench: { ready: Promise.resolve(), ...adapter } satisfies Adapter });
}

export function pageRoot(): HTMLElement {
  return document.getElementById('app') as HTMLElement;
}
