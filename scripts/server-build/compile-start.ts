import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverNodeOptions } from '../node-options.ts';

/**
 * Has Node compile what a start of the program loads, into `compiled` in the folder of the bundles. It never rejects, since this only makes a
 * start quicker: another build may write there at the same time.
 */
export async function compileStart(folder: string, program: string): Promise<void> {
  try {
    // Node never removes the code of earlier bundles from it.
    await rm(join(folder, 'compiled'), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    execFileSync(process.execPath, [...serverNodeOptions, program, '--compile'], { stdio: 'inherit' });
  } catch (error) {
    console.warn(`Node has not compiled the server. The first start compiles the server and takes longer: ${(error as Error).message}`);
  }
}
