import type { ServerResponse } from 'node:http';
import type { Protocol } from './protocol.ts';

export type HostileReply =
  | 'longText'
  | 'longThoughts'
  | 'endlessText'
  | 'endlessLine'
  | 'endlessEmptyLines'
  | 'endlessEmptyDeltas'
  | 'endlessBody'
  | 'deepJson'
  | 'endlessHeaders'
  | 'longRefusal'
  | 'drip'
  | 'dripHeaders'
  | 'dripRefusal';

const word = 'x'.repeat(1_000);
const dripMs = 20;

/** Answers that fill the client's memory or hold its call open. An endless answer lasts until the client disconnects. */
export function sendHostile(reply: HostileReply, protocol: Protocol, response: ServerResponse): void {
  const head = (status: number, type: string) => response.writeHead(status, { 'content-type': type });
  const events = () => {
    head(200, 'text/event-stream').write(protocol.begin());
  };
  switch (reply) {
    case 'longText':
    case 'longThoughts': {
      events();
      const piece = reply === 'longText' ? protocol.text(word) : protocol.thought(word);
      for (let sent = 0; sent < 10_000; sent += 1) response.write(piece);
      response.end(protocol.end('stop'));
      return;
    }
    case 'endlessText':
      events();
      pour(response, protocol.text('x').repeat(1_000));
      return;
    case 'endlessLine':
      events();
      response.write('data: "');
      pour(response, word.repeat(100));
      return;
    case 'endlessEmptyLines':
      events();
      pour(response, '\n'.repeat(100_000));
      return;
    case 'endlessEmptyDeltas':
      events();
      pour(response, protocol.text('').repeat(1_000));
      return;
    case 'endlessBody':
      head(200, 'application/json');
      pour(response, ' '.repeat(100_000));
      return;
    case 'deepJson':
      head(200, 'application/json').write('['.repeat(1_000_000) + ']'.repeat(1_000_000));
      response.end();
      return;
    case 'endlessHeaders':
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      pour(response.socket, 'x-more: and more\r\n'.repeat(1_000));
      return;
    case 'longRefusal':
      head(401, 'application/json');
      pour(response, word.repeat(100));
      return;
    case 'drip':
      events();
      drip(response, ':');
      return;
    case 'dripHeaders':
      response.socket?.write('HTTP/1.1 200 OK\r\nx-more: ');
      drip(response.socket, 'x');
      return;
    case 'dripRefusal':
      head(500, 'application/json');
      drip(response, ' ');
      return;
    default:
      reply satisfies never;
  }
}

type Sink = Pick<NodeJS.WritableStream, 'write' | 'on'> & { destroyed: boolean };

function pour(to: Sink | null, piece: string): void {
  if (to === null) return;
  const more = () => {
    while (!to.destroyed && to.write(piece));
  };
  to.on('drain', more);
  more();
}

function drip(to: Sink | null, byte: string): void {
  if (to === null) return;
  const timer = setInterval(() => {
    if (to.destroyed) clearInterval(timer);
    else to.write(byte);
  }, dripMs);
}
