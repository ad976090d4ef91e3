import { createHash } from 'node:crypto';
import { createInflate, inflateSync } from 'node:zlib';
import { Stopped } from '../repository.ts';
import type { AnswerBytes } from './answer-bytes.ts';
import { applyDelta } from './apply-delta.ts';

export type GitObject = { type: 'commit' | 'tree' | 'blob' | 'tag'; content: Buffer };

/** An object of the pack. `base` is what a delta is to be applied to: its place in the pack, or its name. */
type Entry = { at: number; size: number; type: GitObject['type'] | null; base: number | string | null };

const types = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' } as const;
const offsetDelta = 6;
const namedDelta = 7;
const headBytes = 12;
const oidBytes = 20;
/** Larger objects are passed over: no file of a base is as large (bytes). */
const maxObjectBytes = 16 * 1024 * 1024;
/** Objects that deltas were applied to, which the next ones may need again (bytes). */
const keptBytes = 32 * 1024 * 1024;

/**
 * The objects of a pack by their names. The pack is read where it lies; only its index is in memory: https://git-scm.com/docs/gitformat-pack.
 *
 * @example const pack = await Pack.open(bytes, 100_000); pack.read(oid)?.content
 */
export class Pack {
  readonly #bytes: AnswerBytes;
  readonly #entries: Entry[] = [];
  readonly #names = new Map<string, number>();
  readonly #places = new Map<number, number>();
  readonly #kept = new Map<number, GitObject>();
  #keptBytes = 0;

  private constructor(bytes: AnswerBytes) {
    this.#bytes = bytes;
  }

  /** Reads a pack once, and names its objects. Throws `Stopped` for a broken pack, or one with more objects. */
  static async open(bytes: AnswerBytes, maxObjects: number): Promise<Pack> {
    const pack = new Pack(bytes);
    const head = bytes.read(0, headBytes);
    if (head.length < headBytes || head.toString('latin1', 0, 4) !== 'PACK') throw new Stopped('failed');
    const count = head.readUInt32BE(8);
    if (count > maxObjects) throw new Stopped('file_limit');
    let at = headBytes;
    for (let index = 0; index < count; index += 1) at = await pack.#scan(at);
    pack.#nameDeltas();
    return pack;
  }

  /** Returns an object; null for one that the pack does not have, or that is too large to be read. */
  read(oid: string): GitObject | null {
    const index = this.#names.get(oid);
    return index === undefined ? null : this.#objectAt(index);
  }

  /** The place of an object in the pack: reading by it is fastest. */
  placeOf(oid: string): number {
    return this.#names.get(oid) ?? -1;
  }

  /** Returns where the next object begins. */
  async #scan(at: number): Promise<number> {
    const head = this.#bytes.read(at, 64);
    let byte = head[0] ?? 0;
    const kind = (byte >> 4) & 7;
    let size = byte & 15;
    let used = 1;
    for (let factor = 16; byte & 0x80; factor *= 128) {
      byte = head[used++] ?? 0;
      size += (byte & 0x7f) * factor;
    }
    let base: Entry['base'] = null;
    if (kind === offsetDelta) {
      byte = head[used++] ?? 0;
      let distance = byte & 0x7f;
      while (byte & 0x80) {
        byte = head[used++] ?? 0;
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      base = at - distance;
    } else if (kind === namedDelta) {
      base = head.toString('hex', used, used + oidBytes);
      used += oidBytes;
    }
    const type = types[kind as keyof typeof types] ?? null;
    if ((type === null && base === null) || used > head.length) throw new Stopped('failed');
    const index = this.#entries.push({ at: at + used, size, type, base }) - 1;
    this.#places.set(at, index);
    if (size > maxObjectBytes) return this.#skip(index);
    const { content, length } = this.#inflate(at + used, size);
    if (type !== null) this.#names.set(nameOfObject(type, content), index);
    return at + used + length;
  }

  /** Names a large object without keeping it. */
  async #skip(index: number): Promise<number> {
    const { at, size, type } = this.#entries[index] as Entry;
    const hash = createHash('sha1').update(`${type} ${size}\0`);
    const stream = createInflate();
    let from = at;
    const feed = () => {
      const part = this.#bytes.read(from, 256 * 1024);
      from += part.length;
      if (part.length === 0) stream.destroy(new Stopped('failed'));
      else if (!stream.destroyed)
        stream.write(Buffer.from(part), () => setImmediate(() => !stream.readableEnded && !stream.destroyed && feed()));
    };
    feed();
    let read = 0;
    for await (const part of stream) {
      hash.update(part as Buffer);
      read += (part as Buffer).length;
      if (read > size) throw new Stopped('failed');
    }
    if (type !== null) this.#names.set(hash.digest('hex'), index);
    return at + stream.bytesWritten;
  }

  /** Names the deltas: each is applied once, right after what it is applied to. */
  #nameDeltas(): void {
    const waiting = new Map<number | string, number[]>();
    for (const [index, { base }] of this.#entries.entries()) {
      const key = typeof base === 'number' ? this.#places.get(base) : base;
      if (key === undefined || key === null) continue;
      const others = waiting.get(key);
      if (others) others.push(index);
      else waiting.set(key, [index]);
    }
    const childrenOf = (oid: string, index: number) => [...(waiting.get(index) ?? []), ...(waiting.get(oid) ?? [])];
    // Deltas of a hostile pack may make what they are applied to.
    const applied = new Set<number>();
    for (const [root, place] of [...this.#names]) {
      const { type, size, at } = this.#entries[place] as Entry;
      if (type === null || size > maxObjectBytes || childrenOf(root, place).length === 0) continue;
      const stack = [{ oid: root, index: place, content: this.#inflate(at, size).content }];
      for (let one = stack.pop(); one; one = stack.pop()) {
        for (const index of childrenOf(one.oid, one.index)) {
          if (applied.has(index)) continue;
          applied.add(index);
          const entry = this.#entries[index] as Entry;
          const delta = entry.size > maxObjectBytes ? null : this.#inflate(entry.at, entry.size).content;
          const content = delta && applyDelta(one.content, delta, maxObjectBytes);
          if (content === null) continue;
          const oid = nameOfObject(type, content);
          if (!this.#names.has(oid)) this.#names.set(oid, index);
          if (childrenOf(oid, index).length > 0) stack.push({ oid, index, content });
        }
      }
    }
  }

  #objectAt(index: number): GitObject | null {
    const chain: number[] = [];
    let object: GitObject | null = null;
    for (let one: number | undefined = index; object === null; ) {
      if (one === undefined) return null;
      const entry: Entry = this.#entries[one] as Entry;
      if (entry.size > maxObjectBytes) return null;
      object = this.#kept.get(one) ?? null;
      if (object !== null) break;
      if (entry.base === null) {
        object = { type: entry.type as GitObject['type'], content: this.#inflate(entry.at, entry.size).content };
        break;
      }
      chain.push(one);
      one = typeof entry.base === 'number' ? this.#places.get(entry.base) : this.#names.get(entry.base);
    }
    for (const one of chain.reverse()) {
      const { at, size } = this.#entries[one] as Entry;
      const content = applyDelta(object.content, this.#inflate(at, size).content, maxObjectBytes);
      if (content === null) return null;
      object = { type: object.type, content };
      this.#keep(one, object);
    }
    return object;
  }

  #keep(index: number, object: GitObject): void {
    this.#kept.set(index, object);
    this.#keptBytes += object.content.length;
    for (const [oldest, { content }] of this.#kept) {
      if (this.#keptBytes <= keptBytes) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= content.length;
    }
  }

  /** The packed length is not known before: more is read until it is enough. */
  #inflate(at: number, size: number): { content: Buffer; length: number } {
    for (let asked = size + (size >> 10) + 1_024; ; asked *= 4) {
      const part = this.#bytes.read(at, asked);
      try {
        const options = { info: true, chunkSize: Math.max(64, size), maxOutputLength: Math.max(1, size) };
        const { buffer, engine } = inflateSync(part, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
        if (buffer.length !== size) throw new Stopped('failed');
        return { content: buffer, length: engine.bytesWritten };
      } catch (error) {
        const isShort = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR' && part.length === asked;
        if (!isShort) throw new Stopped('failed');
      }
    }
  }
}

/** Returns the name that Git gives to an object. */
export function nameOfObject(type: string, content: Buffer): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}
