import { fstatSync, openSync, readSync } from 'node:fs';

/** The bytes of an answer: in memory, or in a file that the parent has written. */
export type AnswerBytes = { length: number; read: (at: number, length: number) => Buffer };

export function bytesInMemory(content: Uint8Array): AnswerBytes {
  const all = Buffer.from(content.buffer, content.byteOffset, content.length);
  return { length: all.length, read: (at, length) => all.subarray(at, at + length) };
}

export function bytesInFile(path: string): AnswerBytes {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  return {
    length: size,
    read: (at, length) => {
      const part = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - at)));
      let filled = 0;
      while (filled < part.length) {
        const got = readSync(file, part, filled, part.length - filled, at + filled);
        if (got === 0) break;
        filled += got;
      }
      return part.subarray(0, filled);
    },
  };
}

type Segment = { at: number; from: number; length: number };

/** Reads ahead so much (bytes): most objects of a pack are small. */
const windowBytes = 1024 * 1024;

/** Joins parts of an answer, such as a pack that came in packets, without a copy of them. */
export class JoinedBytes implements AnswerBytes {
  readonly #source: AnswerBytes;
  readonly #segments: Segment[] = [];
  #window: { at: number; content: Buffer } = { at: 0, content: Buffer.alloc(0) };
  length = 0;

  constructor(source: AnswerBytes) {
    this.#source = source;
  }

  add(from: number, length: number): void {
    this.#segments.push({ at: this.length, from, length });
    this.length += length;
  }

  read(at: number, asked: number): Buffer {
    const length = Math.max(0, Math.min(asked, this.length - at));
    const { at: begin, content } = this.#window;
    if (at >= begin && at + length <= begin + content.length) return content.subarray(at - begin, at - begin + length);
    const read = this.#join(at, Math.min(Math.max(length, windowBytes), this.length - at));
    this.#window = { at, content: read };
    return read.subarray(0, length);
  }

  #join(at: number, length: number): Buffer {
    const parts: Buffer[] = [];
    let left = length;
    for (let index = this.#segmentAt(at), from = at; left > 0; index += 1) {
      const segment = this.#segments[index];
      if (!segment) break;
      const skipped = from - segment.at;
      const part = this.#source.read(segment.from + skipped, Math.min(left, segment.length - skipped));
      parts.push(part);
      left -= part.length;
      from = segment.at + segment.length;
    }
    return Buffer.concat(parts);
  }

  #segmentAt(at: number): number {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#segments[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
