/** Starts a worker at once, on its way while the page is still being put together: whoever asks first takes it, others start their own. */
export function begunWorker(start: () => Worker): () => Worker {
  let begun: Worker | null = start();
  // One that could not be loaded tells only who listens at that moment.
  begun.addEventListener('error', () => {
    begun = null;
  });
  return () => {
    const worker = begun ?? start();
    begun = null;
    return worker;
  };
}
