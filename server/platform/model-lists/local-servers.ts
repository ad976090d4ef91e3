/** Servers of models at their usual ports on this machine, by their numbers: no name server has a say in it. */
export const localServers = [
  { provider: 'ollama', address: 'http://127.0.0.1:11434/v1' },
  { provider: 'lmstudio', address: 'http://127.0.0.1:1234/v1' },
] as const;

/** The only addresses on private networks that a server for this machine alone calls without the operator's leave. */
export const localOrigins: readonly string[] = localServers.map(({ address }) => new URL(address).origin);
