/** How far the demonstration is whose picture waits for the visitor's press. */
export type DemoStart = 'waiting' | 'loading' | 'failed';

const changed = 'demostart';

/** Null where the demonstration begins by itself, and once it is there. The picture's stylesheet reads the same attribute. */
export function readDemoStart(): DemoStart | null {
  return (document.documentElement.dataset.demoStart as DemoStart | undefined) ?? null;
}

/** Tells the picture's script and the page's, of which each is loaded without the other. */
export function setDemoStart(start: DemoStart | null): void {
  if (start === null) delete document.documentElement.dataset.demoStart;
  else document.documentElement.dataset.demoStart = start;
  document.dispatchEvent(new Event(changed));
}

/** Calls `listener` after each change; the answer ends that. */
export function followDemoStart(listener: () => void): () => void {
  document.addEventListener(changed, listener);
  return () => document.removeEventListener(changed, listener);
}
