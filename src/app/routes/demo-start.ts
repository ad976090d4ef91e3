/** The progress of a demonstration whose picture waits for the visitor's press. */
type DemoStart = 'waiting' | 'loading' | 'failed';

const changed = 'demostart';

/** Returns the progress; null when the demonstration starts by itself or is shown. The picture's stylesheet reads the same attribute. */
export function readDemoStart(): DemoStart | null {
  return (document.documentElement.dataset.demoStart as DemoStart | undefined) ?? null;
}

/** Sets the progress, and notifies the picture's script and the page's script, which load separately. */
export function setDemoStart(start: DemoStart | null): void {
  if (start === null) delete document.documentElement.dataset.demoStart;
  else document.documentElement.dataset.demoStart = start;
  document.dispatchEvent(new Event(changed));
}

/** Calls `listener` after each change. Returns the function that removes it. */
export function followDemoStart(listener: () => void): () => void {
  document.addEventListener(changed, listener);
  return () => document.removeEventListener(changed, listener);
}
