import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { afterBuild } from './after-build.ts';

const kinds = new Set(['.js', '.css', '.svg', '.json', '.webmanifest']);
/** The folder of the help in a build. */
export const helpPath = 'help';
/** Below this size (bytes) a response is one packet, compressed or not. */
const least = 1_000;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes two compressed copies of each script and style, so that the server does not compress them on request. The help brings its own. */
export function compressedFiles(): Plugin {
  return afterBuild('artel:compressed-files', (dist) =>
    compressFilesIn(dist, (path) => kinds.has(extname(path)) && !path.startsWith('.') && !path.startsWith(helpPath)),
  );
}

/** Compresses the files below a folder whose paths from there are `chosen`. */
export async function compressFilesIn(folder: string, chosen: (path: string) => boolean): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => chosen(relative(folder, file)));
  await Promise.all(files.map(compressFile));
}

async function compressFile(file: string): Promise<void> {
  const plain = await readFile(file);
  if (plain.length < least) return;
  const [brotli, gzipped] = await Promise.all([
    toBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    toGzip(plain, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
