import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { blobName } from '../blob-name.ts';
import { parseEntries } from '../tree-entries.ts';
import { type CommitSource, fetchBlobs, fetchCommit } from './fetch-pack.ts';
import { type GitObject, nameOfObject, type Pack } from './pack.ts';

const typeNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;

/** The objects that one piece of work needs: those of the packs that were fetched, files that it was given, and those that it makes. */
export class ObjectStore {
  readonly #packs: Pack[] = [];
  readonly #given = new Map<string, Buffer>();
  readonly #made = new Map<string, GitObject>();
  #source: CommitSource | null = null;

  /** Fetches a commit. Blobs that the server can leave out are fetched when they are asked for. */
  async open(source: CommitSource): Promise<void> {
    this.#source = source;
    this.#packs.push(await fetchCommit(source));
  }

  /** Returns an object; null for one that is not here, is of another type, or is too large to be read. */
  read(oid: string, type: GitObject['type']): Buffer | null {
    const given = type === 'blob' ? this.#given.get(oid) : undefined;
    if (given) return given;
    let object = this.#made.get(oid) ?? null;
    for (const pack of this.#packs) object ??= pack.read(oid);
    return object?.type === type ? object.content : null;
  }

  /** Takes a file that is read without being fetched. */
  give(content: Uint8Array): void {
    const blob = Buffer.from(content.buffer, content.byteOffset, content.length);
    this.#given.set(blobName(blob), blob);
  }

  /** Fetches those of these blobs that are not here, by one call. */
  async fetchBlobs(oids: Iterable<string>): Promise<void> {
    const isHere = (oid: string) => this.#given.has(oid) || this.#made.has(oid) || this.#packs.some((pack) => pack.placeOf(oid) >= 0);
    const missing = [...new Set(oids)].filter((oid) => !isHere(oid));
    if (missing.length > 0 && this.#source?.server.canFilter) this.#packs.push(await fetchBlobs(this.#source, missing));
  }

  /** Makes an object, and returns its name. */
  write(type: GitObject['type'], content: Uint8Array): string {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const oid = nameOfObject(type, bytes);
    this.#made.set(oid, { type, content: bytes });
    return oid;
  }

  /** Packs those of the objects that were made that a commit needs. They name others that are not in the pack. */
  pack(commit: string): Buffer {
    const needed = this.#madeFor(commit);
    const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
    head.writeUInt32BE(needed.length, 8);
    const parts = [head, ...needed.flatMap(({ type, content }) => [headOf(type, content.length), deflateSync(content)])];
    const hash = createHash('sha1');
    for (const part of parts) hash.update(part);
    return Buffer.concat([...parts, hash.digest()]);
  }

  #madeFor(commit: string): GitObject[] {
    const needed = new Map<string, GitObject>();
    const waiting = [commit];
    for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
      const object = needed.has(oid) ? undefined : this.#made.get(oid);
      if (!object) continue;
      needed.set(oid, object);
      if (object.type === 'tree') for (const entry of parseEntries(object.content)) waiting.push(entry.oid);
      if (object.type === 'commit') waiting.push(...namedIn(object.content));
    }
    return [...needed.values()];
  }
}

/** The tree and the parents of a commit. */
function namedIn(commit: Buffer): string[] {
  const [head = ''] = commit.toString('latin1').split('\n\n', 1);
  return [...head.matchAll(/^(?:tree|parent) ([0-9a-f]{40})$/gm)].map(([, oid = '']) => oid);
}

/** Type and length of an object: four bits of the length, then seven in each byte. */
function headOf(type: GitObject['type'], length: number): Buffer {
  const bytes = [(typeNumbers[type] << 4) | (length & 15)];
  for (let rest = Math.floor(length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}
