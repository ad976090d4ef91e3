import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The pipe that a command writes to. `release` closes the runner's own end for writing, so that `reader` ends with the last process of the job. */
type JobOutput = { reader: Readable; writer: number; release: () => void };

/**
 * Makes the pipe for the output of a command. It is a named one, which belongs to the user of the job: a socket, as Node gives to its children, and a
 * pipe of another user cannot be opened as `/dev/stdout`. Its name is gone before the command begins. `owner`: null for the runner's own user.
 */
export async function openJobOutput(folder: string, owner: number | null): Promise<JobOutput> {
  const path = join(folder, 'output');
  await rm(path, { force: true });
  await run('mkfifo', ['-m', '600', path]);
  if (owner !== null) await chown(path, owner, owner);
  // Without waiting for a writer. The end for writing waits: a program that finds it full would lose what it writes.
  const input = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  await rm(path);
  return { reader: new Socket({ fd: input, readable: true, writable: false }), writer, release: () => closeSync(writer) };
}
