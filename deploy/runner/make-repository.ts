import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveRefused, unpackJob } from './unpack-job.ts';

/** The files of the base that a run has changed or removed, as a ZIP, and the paths that the base lacks. */
export type JobBase = { archive: Uint8Array | null; added: readonly string[] };

/** Below the folder for temporary files of the job: the files of the base, and the paths that it lacks, each with a zero byte behind it. */
const baseFolder = 'base';
const addedFile = 'base-lacks';
/** The longest time for the repository (s). A command works without one, too. */
const maxSeconds = 20;

/**
 * Makes the files of a job a Git repository, as every CI has one: the base is its commit, and its index has the files as they are. So programs find
 * what was changed, list what is tracked, and a check that nothing differs from the index passes. Objects are written fast rather than small. A job
 * that brings a repository of its own keeps that, and a machine without Git has none.
 */
const commands = `command -v git && [ ! -e .git ] || exit 0
fast='-c core.looseCompression=0 -c core.fsync=none'
git config --global user.name job && git config --global user.email job@localhost && git config --global init.defaultBranch main &&
git init -q . && git $fast add -A -f . &&
if [ -d "$TMPDIR/${baseFolder}" ]; then
  [ ! -e .git/index ] || cp .git/index "$TMPDIR/base-index"
  export GIT_INDEX_FILE="$TMPDIR/base-index"
  git update-index --force-remove -z --stdin <"$TMPDIR/${addedFile}" &&
  git --work-tree="$TMPDIR/${baseFolder}" $fast add -f --ignore-removal "$TMPDIR/${baseFolder}"
fi &&
tree=$(git write-tree) && commit=$(git commit-tree "$tree" -m 'The base of the run') && git update-ref HEAD "$commit"`;

/** What is left is no file of the job. A repository is whole or absent. */
const command = `timeout ${maxSeconds} /bin/sh -c '${commands.replaceAll("'", `'\\''`)}' >/dev/null
code=$?
cd "$TMPDIR" && rm -rf ${baseFolder} ${addedFile} base-index; cd "$OLDPWD"
[ "$code" = 0 ] || rm -rf .git
exit "$code"`;

type RepositoryDeps = {
  /** Executes a command in the sandbox of the job, and returns its exit code: files may name programs that Git executes. */
  execute: (command: string) => Promise<number>;
  onLog: (text: string) => Promise<void>;
};

/** Writes what `makeRepository` needs of the base into the folder of a job. Without a base that can be unpacked the commit has the files as they are. */
export async function unpackBase({ archive, added }: JobBase, job: string, onLog: RepositoryDeps['onLog']): Promise<void> {
  const folder = join(job, 'tmp', baseFolder);
  await mkdir(folder);
  try {
    if (archive !== null) await unpackJob(archive, folder);
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    await rm(folder, { recursive: true, force: true });
    await onLog(`The commit of the repository has the files as they are, not their base: ${error.message}\n`);
  }
  await writeFile(join(job, 'tmp', addedFile), added.map((path) => `${path}\0`).join(''));
}

/** Never ends a job: the log says that there is no repository, and why. */
export async function makeRepository({ execute, onLog }: RepositoryDeps): Promise<void> {
  const code = await execute(command);
  if (code === 0 || code === -1) return;
  const why = code === 124 ? `it took longer than ${maxSeconds} s` : `Git ended with code ${code}`;
  await onLog(`The runner made no Git repository of the files: ${why}. Commands that ask Git find none.\n`);
}
