import { readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of what the runner gives to the system of a job: below the job's own folder, and closed to its changes. */
export const systemFolder = 'system';
/** Files of a job in the place of those of the machine. */
export const systemFiles = ['passwd', 'group', 'hosts'] as const;
/** What every Node of a job begins with. */
export const wholeOutputFile = 'whole-output.cjs';

/** The name of the user and of the group of a job. */
export const jobUser = 'job';

type JobSystem = { uid: number; gid: number; home: string; hostName: string };

/**
 * Writes the files that give the user of a job a name and the name of its host an address, as every CI does: programs ask for both. Other entries are
 * those of the machine.
 */
export async function writeSystemFiles(folder: string, system: JobSystem): Promise<void> {
  const at = join(folder, systemFolder);
  await mkdir(at, { mode: 0o755 });
  for (const name of systemFiles) await writeFile(join(at, name), textOf(name, readMachine(name), system), { mode: 0o644 });
  await copyFile(join(import.meta.dirname, wholeOutputFile), join(at, wholeOutputFile));
}

function readMachine(name: string): string {
  try {
    return readFileSync(`/etc/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns a file of the machine with the entry of the job before its own. The first entry is the one that counts. */
export function textOf(name: (typeof systemFiles)[number], machine: string, { uid, gid, home, hostName }: JobSystem): string {
  const lines = machine.split('\n').filter((line) => line.trim() !== '');
  const entries = {
    passwd: () => [`${jobUser}:x:${uid}:${gid}:${jobUser}:${home}:/bin/sh`, ...lines.filter((line) => !names(line, uid))],
    group: () => [`${jobUser}:x:${gid}:`, ...lines.filter((line) => !names(line, gid))],
    hosts: () => [`127.0.0.1\tlocalhost ${hostName}`, ...lines.filter((line) => !line.split(/\s+/).slice(1).includes(hostName))],
  } satisfies Record<(typeof systemFiles)[number], () => string[]>;
  return `${entries[name]().join('\n')}\n`;
}

function names(line: string, id: number): boolean {
  return line.split(':')[2] === String(id);
}
