/**
 * Caches the answer of `ask` for `forMs`. Returns null while the call fails or takes longer than `limitMs`.
 */
export function cacheResult<T>(ask: () => Promise<T>, forMs: number, limitMs: number): () => Promise<T | null> {
  let known: { answer: Promise<T | null>; at: number } | null = null;
  return () => {
    const now = performance.now();
    if (known === null || now - known.at > forMs) {
      const asked = { answer: within(ask(), limitMs).catch(() => null), at: now };
      known = asked;
      void asked.answer.then((answer) => {
        if (answer === null && known === asked) known = null;
      });
    }
    return known.answer;
  };
}

function within<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`No answer in ${limitMs} ms.`)), limitMs);
    answer.then(resolve, reject).finally(() => clearTimeout(limit));
  });
}
