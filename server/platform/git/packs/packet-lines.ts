import { Stopped } from '../repository.ts';
import type { AnswerBytes } from './answer-bytes.ts';

/** A packet of Git's protocol: data with its place in the answer, or one of the marks between sections. */
export type Packet = { kind: 'data'; from: number; length: number } | { kind: 'flush' | 'delimiter' | 'end' };

const headBytes = 4;
const marks = ['flush', 'delimiter', 'end'] as const;

/** Reads the packets of an answer. Throws `Stopped` for what is none: https://git-scm.com/docs/protocol-common */
export function* packetsOf(bytes: AnswerBytes): Generator<Packet> {
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.read(at, headBytes).toString('latin1');
    if (!/^[0-9a-f]{4}$/i.test(head)) throw new Stopped('failed');
    const length = Number.parseInt(head, 16);
    const mark = marks[length];
    if (mark) {
      yield { kind: mark };
      at += headBytes;
      continue;
    }
    if (length < headBytes || at + length > bytes.length) throw new Stopped('failed');
    yield { kind: 'data', from: at + headBytes, length: length - headBytes };
    at += length;
  }
}

/** Writes a packet with a line. */
export function packet(line: string): Buffer {
  const content = Buffer.from(`${line}\n`);
  return Buffer.concat([Buffer.from((content.length + headBytes).toString(16).padStart(4, '0')), content]);
}

export const flushPacket = Buffer.from('0000');
export const delimiterPacket = Buffer.from('0001');
