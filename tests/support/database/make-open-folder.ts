import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that the account of PostgreSQL may enter, also when the tests run as root. */
export async function makeOpenFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'artel-test-'));
  await chmod(path, 0o755);
  // A PostgreSQL whose server has ended may write for some seconds yet.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}
