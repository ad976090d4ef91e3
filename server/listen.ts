import type { FastifyInstance } from 'fastify';
import type { Settings } from './settings.ts';

/** How many ports are tried. */
const maxTries = 20;
/** Artel's own programs have these: the runner. */
const kept = [5_002];
const maxPort = 65_535;

/** Listens on the port of the settings, or on the next free one behind it where they allow that. */
export async function listen(fastify: FastifyInstance, { port, host, takesNextPort }: Settings): Promise<void> {
  const next = Array.from({ length: takesNextPort ? maxTries : 0 }, (_, at) => port + 1 + at);
  const tried = [port, ...next.filter((number) => number <= maxPort && !kept.includes(number))];
  for (const one of tried) {
    const failure = await fastify.listen({ port: one, host }).then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    );
    if (failure === null) return;
    if (failure.syscall === 'getaddrinfo') throw new Error(`No address is known of ${host}: set HOST to one of this machine.`);
    if (failure.code !== 'EADDRINUSE' || !takesNextPort) throw failure;
  }
  throw new Error(`The ports ${port} to ${tried.at(-1)} are taken: set another PORT.`);
}
