/** The port of a server that is told none. */
export const defaultPort = 5_001;

/** The channel of Node by which a program in this process is told the address of a server that is ready. */
export const readyChannel = 'artel.ready';

/** Returns the address to open in a browser of this machine, for a server that listens on a host and a port. */
export function ownAddress(host: string, port: number): string {
  return `http://${['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host}:${port}`;
}
