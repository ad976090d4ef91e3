/**
 * Calls `start` while the page is visible, and what it returned while the page is hidden: a hidden page needs no timer.
 * `start` is called again when the page becomes visible. Returns the function that stops both.
 */
export function whileVisible(start: () => () => void, page: Document = document): () => void {
  let stop: (() => void) | null = null;
  const follow = () => {
    if (page.visibilityState !== 'hidden') stop ??= start();
    else {
      stop?.();
      stop = null;
    }
  };
  page.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    page.removeEventListener('visibilitychange', follow);
    stop?.();
  };
}
