import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { startGitServer } from '../../tests/support/services/git-server.ts';
import { startModelServer } from '../../tests/support/services/model-server.ts';
import { startServer } from '../../tests/support/start-server.ts';
import { measureRepository, type RepositoryFigures } from './measure-repository.ts';

/**
 * `npm run bench:repositories -- folder...`: reads Git repositories as bases of runs, and changes each by a scripted model. A folder is a
 * repository, bare or not, or holds several. `--blobs-on-demand` serves them as large hosts do. Prints a table.
 */
const args = process.argv.slice(2);
const onDemand = args.includes('--blobs-on-demand');
const folders = (await Promise.all(args.filter((one) => !one.startsWith('--')).map((one) => repositoriesIn(resolve(one))))).flat();
if (folders.length === 0) {
  console.error('Name folders with Git repositories: npm run bench:repositories -- /path/to/repositories');
  process.exit(1);
}

const git = await startGitServer({ 'safe.directory': '*', 'uploadpack.allowFilter': String(onDemand) });
const models = await startModelServer();
const server = await startServer({
  ownDatabase: true,
  env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', ARTEL_ACCOUNT_MB: '0' },
});
try {
  const rows: RepositoryFigures[] = [];
  for (const [at, folder] of folders.entries()) {
    const name = `r${at}`;
    await git.serve(name, folder);
    rows.push({
      ...(await measureRepository({ server, models, url: git.urlOf(name), folder })),
      name: basename(folder.replace(/\/\.git$/, '')),
    });
    console.table(rows.slice(-1));
  }
  console.table(rows);
} finally {
  await server.stop();
  await models.close();
  await git.close();
}

async function repositoriesIn(folder: string): Promise<string[]> {
  for (const place of [folder, join(folder, '.git')]) {
    const head = await readFile(join(place, 'HEAD'), 'utf8').catch(() => '');
    if (head !== '') return [place];
  }
  const inside = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    inside.filter((one) => one.isDirectory()).map((one) => repositoriesIn(join(folder, one.name)).catch(() => [])),
  );
  return found.flat();
}
