import { writeWholeFile } from '../../server/platform/files/write-whole-file.ts';
import { buildBundle } from './bundle-server.ts';
import { compileStart } from './compile-start.ts';
import { importOf, productBundles, serverProgram } from './server-bundle.ts';

/** Bundles the server, has Node compile what a start loads, and makes the program of the built server import the bundle. */
const { name, program } = await buildBundle(productBundles);
await compileStart(productBundles.folder, program);
await writeWholeFile(serverProgram, importOf(name), { mode: 0o644 });
