/** How often a visible page pings its engine (ms). A ping is all that an idle page does, and costs 0.6 ms of its main thread. */
export const pingEveryMs = 900;
/** The silence after which the page shows that the engine does not respond (ms). It is shown within 3 s. G8.32 */
export const silentAfterMs = 1_800;
/** The silence after which the engine is replaced (ms). Its longest calculations take less. */
export const deadAfterMs = 10_000;

type EngineWatchOptions<T> = {
  /** The engine that should answer now; null without one, while its script loads, and on a hidden page. */
  watched: () => T | null;
  ping: (engine: T) => Promise<unknown>;
  onSilent: () => void;
  /** The engine answers again. */
  onAnswer: () => void;
  onDead: (engine: T) => void;
  later: (ms: number, task: () => void) => () => void;
};

/**
 * Watches whether the engine answers. Returns the function that ends this. Silence is counted in ticks of the page's own clock, not in time: a page
 * that slept, was hidden or was busy itself has missed ticks, and does not take its engine for silent. G8.32
 */
export function watchEngine<T extends object>({ watched, ping, onSilent, onAnswer, onDead, later }: EngineWatchOptions<T>): () => void {
  let pinged: T | null = null;
  let isAnswerDue = false;
  let isSilent = false;
  let silentTicks = 0;
  let cancel = later(pingEveryMs, tick);

  function tick(): void {
    cancel = later(pingEveryMs, tick);
    const engine = watched();
    if (engine !== pinged) isAnswerDue = false;
    pinged = engine;
    silentTicks = isAnswerDue ? silentTicks + 1 : 0;
    if (engine === null) return;
    const silentMs = silentTicks * pingEveryMs;
    if (silentMs >= silentAfterMs && !isSilent) {
      isSilent = true;
      onSilent();
    }
    if (silentMs >= deadAfterMs) {
      onDead(engine);
      return;
    }
    isAnswerDue = true;
    ping(engine).then(
      () => engine === pinged && answered(),
      () => {},
    );
  }

  function answered(): void {
    isAnswerDue = false;
    if (isSilent) onAnswer();
    isSilent = false;
  }

  return () => cancel();
}
