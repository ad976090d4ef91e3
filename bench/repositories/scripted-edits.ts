import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Edit = { name: string; args: Record<string, unknown> };

/** The size of the file that is edited (bytes): the one nearest to it is taken. */
const editedBytes = 300_000;
const maxLength = 2 * 1024 * 1024;

/**
 * What a capable model does to a repository: an edit in a large file, and in one with mixed line ends where there is one, a deletion, a
 * rename, an executable bit, and a new file. `clone` is a working copy.
 */
export async function editsFor(clone: string): Promise<Edit[]> {
  const { stdout } = await run('git', ['-C', clone, 'ls-files', '-z', '--stage'], { maxBuffer: 64 * 1024 * 1024 });
  const files = stdout.split('\0').flatMap((line) => {
    const [, mode = '', path = ''] = /^(\d+) \w+ 0\t(.*)$/s.exec(line) ?? [];
    return mode.startsWith('100') ? [{ path, mode }] : [];
  });
  const texts: { path: string; mode: string; text: string }[] = [];
  let mixed: (typeof texts)[number] | null = null;
  for (const file of files) {
    const { size } = await stat(join(clone, file.path)).catch(() => ({ size: 0 }));
    if (size < 20 || size > maxLength) continue;
    const bytes = await readFile(join(clone, file.path));
    const text = bytes.toString('utf8');
    if (text.includes('\0') || !Buffer.from(text).equals(bytes) || text.startsWith('version https://git-lfs')) continue;
    texts.push({ ...file, text });
    if (/[^\r]\n/.test(text) && text.includes('\r\n')) mixed ??= texts.at(-1) ?? null;
  }
  const byDistance = texts.toSorted((one, other) => distanceOf(one.text) - distanceOf(other.text));
  const large = byDistance[0];
  const others = texts.filter((one) => one !== large && one !== mixed && one.mode === '100644');
  const [removed, moved, marked] = others;
  return [
    ...[large, mixed].flatMap((file) => (file ? editOf(file) : [])),
    ...(removed ? [{ name: 'delete_file', args: { path: removed.path } }] : []),
    ...(moved ? [{ name: 'move_file', args: { from: moved.path, to: `${moved.path}.moved` } }] : []),
    ...(marked ? [{ name: 'write_file', args: { path: marked.path, executable: true } }] : []),
    { name: 'write_file', args: { path: 'artel-new-file.txt', content: 'A new file.\n' } },
  ];
}

function distanceOf(text: string): number {
  return Math.abs(Buffer.byteLength(text) - editedBytes);
}

/** Replaces a line that the file has once. */
function editOf({ path, text }: { path: string; text: string }): Edit[] {
  const lines = text.split(/\r?\n/);
  const middle = Math.floor(lines.length / 2);
  const line = [...lines.slice(middle), ...lines.slice(0, middle)].find((one) => one.trim().length > 10 && text.split(one).length === 2);
  return line === undefined ? [] : [{ name: 'edit_file', args: { path, old: line, new: `${line} // edited` } }];
}
