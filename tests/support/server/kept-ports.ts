import { createServer } from 'node:net';
import { arePortsKept } from '../test-services.ts';

/** Ports that no system gives to a socket by itself, so that a port is not taken between two servers. */
const [firstPort, places] = [20_000, 10_000];

/** The ports of this process's servers, in the order of their first use, and whether a server has them. */
const ports: { port: number; isTaken: boolean }[] = [];

/**
 * Returns the port for a server, which has it again after a restart: one of an earlier server where the suite keeps ports. A browser has the
 * files of the page for each origin, so a server with the port of an earlier one is not asked for them again.
 */
export async function takePort(): Promise<number> {
  for (;;) {
    const place = (arePortsKept && ports.find(({ isTaken }) => !isTaken)) || newPlace();
    place.isTaken = true;
    if (await isFree(place.port)) return place.port;
    ports.splice(ports.indexOf(place), 1);
  }
}

/** A later server may have this port. Does nothing for a port that was not taken here. */
export function leavePort(left: number): void {
  for (const place of ports) if (place.port === left) place.isTaken = false;
}

function newPlace(): (typeof ports)[number] {
  const place = { port: firstPort + Math.floor(Math.random() * places), isTaken: false };
  ports.push(place);
  return place;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
