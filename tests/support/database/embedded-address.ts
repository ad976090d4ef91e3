import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The connection string of the running PostgreSQL in a server's data folder. */
export async function embeddedAddress(dataDir: string): Promise<string> {
  const [, , , port = '', socketFolder = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const password = (await readFile(join(dataDir, 'database.key'), 'utf8')).trim();
  return `postgresql://artel:${password}@localhost/artel?host=${encodeURIComponent(socketFolder.trim())}&port=${port.trim()}`;
}
