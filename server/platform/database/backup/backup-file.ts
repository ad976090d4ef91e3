import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { ByteReader } from './byte-reader.ts';

/**
 * A backup is one gzip stream. Unpacked, it begins with a line with the format's name and a line with the header as JSON. For each table
 * follow a line `table {…}` and its rows as PostgreSQL's COPY text in pieces, each after a line `data <bytes>`. It ends with a line `end
 * {…}` with the SHA-256 of everything before it.
 */
const firstLine = 'artel-backup 1';
const largestPiece = 64 * 1024;
const maxLineLength = 1024 * 1024;

const header = z.object({
  createdAt: z.string(),
  /** The version of Artel. */
  version: z.string(),
  /** The applied migrations in order: they define the tables. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Identifies the secret that encrypted the stored keys; holds the secret itself only on request. */
  secret: z.object({ check: z.string(), value: z.string().optional() }),
});
const table = z.object({ name: z.string(), columns: z.array(z.string()).min(1) });
const end = z.object({ tables: z.int(), sha256: z.string() });

export type BackupHeader = z.infer<typeof header>;
export type BackupTable = z.infer<typeof table>;
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: BackupTable }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'end' };

/** Thrown for a file that is no backup, or not a complete one. */
export class DamagedBackup extends Error {}

/** Writes the bytes of a backup before compression. The parts come in the order of the format. */
export async function* writeParts(parts: AsyncIterable<BackupPart>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let tables = 0;
  for await (const part of parts) {
    for (const piece of bytesOf(part)) {
      hash.update(piece);
      yield piece;
    }
    if (part.kind === 'table') tables += 1;
    if (part.kind === 'end') yield Buffer.from(`end ${JSON.stringify({ tables, sha256: hash.digest('hex') })}\n`);
  }
}

function* bytesOf(part: BackupPart): Generator<Buffer> {
  if (part.kind === 'header') yield Buffer.from(`${firstLine}\n${JSON.stringify(part.header)}\n`);
  if (part.kind === 'table') yield Buffer.from(`table ${JSON.stringify(part.table)}\n`);
  if (part.kind !== 'rows') return;
  for (let from = 0; from < part.bytes.length; from += largestPiece) {
    const piece = part.bytes.subarray(from, from + largestPiece);
    yield Buffer.from(`data ${piece.length}\n`);
    yield piece;
  }
}

/**
 * Reads the parts of a backup file in constant memory. Throws DamagedBackup at the first deviation. Only the last part,
 * `end`, proves that the whole file is intact.
 */
export async function* readParts(path: string): AsyncGenerator<BackupPart> {
  const packed = createReadStream(path);
  const unpacked = packed.pipe(createGunzip());
  packed.once('error', (error) => unpacked.destroy(error));
  try {
    yield* partsOf(new ByteReader(unpacked));
  } catch (error) {
    throw isOfPacking(error) ? new DamagedBackup('the file is cut short or damaged.') : error;
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
}

async function* partsOf(reader: ByteReader): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  const line = async () => {
    const text = await reader.line(maxLineLength);
    if (text === null) throw new DamagedBackup('the file is cut short.');
    return text;
  };
  const taken = (text: string) => {
    hash.update(`${text}\n`);
    return text;
  };

  if (taken(await line()) !== firstLine) throw new DamagedBackup('the file is no backup, or one of a later format.');
  yield { kind: 'header', header: parse(header, taken(await line())) };
  for (let tables = 0; ; ) {
    const text = await line();
    const [word = '', about = ''] = /^(\w+) (.*)$/.exec(text)?.slice(1) ?? [];
    if (word === 'end') {
      const { tables: written, sha256 } = parse(end, about);
      if (written !== tables || sha256 !== hash.digest('hex') || !(await reader.ended()))
        throw new DamagedBackup('the content of the file was altered.');
      yield { kind: 'end' };
      return;
    }
    taken(text);
    if (word === 'table') {
      tables += 1;
      yield { kind: 'table', table: parse(table, about) };
    } else if (word === 'data' && tables > 0 && /^\d{1,5}$/.test(about) && Number(about) <= largestPiece) {
      const bytes = await reader.bytes(Number(about));
      if (bytes === null) throw new DamagedBackup('the file is cut short.');
      hash.update(bytes);
      yield { kind: 'rows', bytes };
    } else {
      throw new DamagedBackup('the content of the file was altered.');
    }
  }
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new DamagedBackup('the content of the file was altered.');
  }
}

function isOfPacking(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
