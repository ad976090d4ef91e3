/** Calls `stop` when this process is asked to end: by a program, by Ctrl-C, or because its terminal was closed. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
}
