/** Starts a worker while the page still loads. The first caller gets this worker, each later one a new worker. */
export function prestartedWorker(start: () => Worker): () => Worker {
  let prestarted: Worker | null = start();
  // An error while the script loads reaches only the listeners of that moment: the first caller then starts a worker of its own.
  prestarted.addEventListener('error', () => {
    prestarted = null;
  });
  return () => {
    const worker = prestarted ?? start();
    prestarted = null;
    return worker;
  };
}
