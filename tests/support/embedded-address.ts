import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the PostgreSQL in a server's data folder listens, while it runs, for a look into it from outside. */
export async function embeddedAddress(dataDir: string): Promise<string> {
  const [, , , port = '', socketFolder = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const password = (await readFile(join(dataDir, 'database.key'), 'utf8')).trim();
  return `postgresql://artel:${password}@localhost/artel?host=${encodeURIComponent(socketFolder.trim())}&port=${port.trim()}`;
}
