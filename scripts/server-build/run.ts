import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWholeFile } from '../../server/platform/files/write-whole-file.ts';
import { serverNodeOptions } from '../node-options.ts';
import { buildBundle } from './bundle-server.ts';
import { importOf, productBundles, serverProgram } from './server-bundle.ts';

/** Bundles the server, has Node compile what a start loads, and makes the program of the built server import the bundle. */
const { name, program } = await buildBundle(productBundles);
// Node never removes the code of earlier bundles from it.
await rm(join(productBundles.folder, 'compiled'), { recursive: true, force: true });
execFileSync(process.execPath, [...serverNodeOptions, program, '--compile'], { stdio: 'inherit' });
await writeWholeFile(serverProgram, importOf(name), { mode: 0o644 });
