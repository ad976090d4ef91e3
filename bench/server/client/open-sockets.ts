import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';

/** Many open WebSockets, and the delay of their messages. */
export type SocketCrowd = {
  open: () => number;
  /** Counts from now on. */
  begin: () => void;
  /** The messages since `begin`, and the number of sockets that got any. */
  counted: () => { perSecond: number; latencies: number[]; hearing: number };
  close: () => void;
};

/** Concurrent handshakes. */
const atOnce = 32;
/** A streamed piece carries the moment at which it was written, 13 digits, and ends with a blank. */
const mark = ' ","position":';
const digits = 13;

/** Opens a socket at each address. Reads of a message only the moment in its streamed text. */
export async function openSockets(addresses: readonly string[]): Promise<SocketCrowd> {
  const sockets = new Set<WebSocket>();
  let messages = 0;
  let latencies: number[] = [];
  let hearing = 0;
  let period = 0;
  let begun = performance.now();
  const onMessage = (data: Buffer) => {
    messages += 1;
    const at = data.lastIndexOf(mark);
    if (at < digits) return;
    const written = Number(data.toString('latin1', at - digits, at));
    latencies.push(performance.timeOrigin + performance.now() - written);
  };
  const openOne = (address: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true });
      let heardIn = 0;
      socket.on('message', (data: Buffer) => {
        if (heardIn !== period) hearing += 1;
        heardIn = period;
        onMessage(data);
      });
      socket.once('open', () => {
        sockets.add(socket);
        // The server sends no messages until the client has named its last events.
        socket.send('{"type":"since","since":{}}');
        resolve();
      });
      socket.once('close', () => sockets.delete(socket));
      socket.once('error', reject);
    });
  const waiting = [...addresses];
  const opener = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await openOne(next);
  };
  await Promise.all(Array.from({ length: atOnce }, opener));

  return {
    open: () => sockets.size,
    begin() {
      period += 1;
      hearing = 0;
      messages = 0;
      latencies = [];
      begun = performance.now();
    },
    counted: () => ({ perSecond: (messages * 1_000) / (performance.now() - begun), latencies, hearing }),
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}
