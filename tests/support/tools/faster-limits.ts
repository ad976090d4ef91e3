/**
 * Loaded into a server before its own code. Limits of 30 s to 15 min end twelve times sooner: one of a minute takes five seconds. Shorter and longer timers
 * are unchanged, and so are those of sockets.
 */
const usual = globalThis.setTimeout;
const [shortestMs, longestMs, times] = [30_000, 900_000, 12];

globalThis.setTimeout = new Proxy(usual, {
  apply: (_target, self, [task, ms, ...args]) => {
    const isLimit = ms >= shortestMs && ms <= longestMs;
    return Reflect.apply(usual, self, [task, isLimit ? ms / times : ms, ...args]);
  },
});
