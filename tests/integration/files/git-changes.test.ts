import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { type NamedChange, patchOf, toVersions, withRenames } from '../../../server/modules/executions/files/compare-changes.ts';
import { type RunChange, toRunChange } from '../../../server/modules/executions/files/read-changes.ts';
import { changeOf, compareFile } from '../../../server/modules/files/compare-file.ts';
import type { FileThread } from '../../../server/modules/files/index.ts';
import { quotedName } from '../../../server/modules/files/quoted-name.ts';
import { zipArchive } from '../../../server/modules/files/zip-archive.ts';
import { blobName } from '../../../server/platform/git/blob-name.ts';
import { changeTree } from '../../../server/platform/git/change-tree.ts';
import type { FileConflict, FollowedRename } from '../../../server/platform/git/git-messages.ts';
import { findRenames } from '../../../server/platform/git/merge/find-renames.ts';
import { mergeChanges } from '../../../server/platform/git/merge/next-tree.ts';
import { ObjectStore } from '../../../server/platform/git/packs/object-store.ts';
import { type MergeCase, mergeCaseOf, type SideFiles } from '../../support/file-merges.ts';
import { baseOfSequences, type Sequence, sequenceOfChanges } from '../../support/file-sequences.ts';
import { setUpFolder } from '../../support/set-up/for-vitest.ts';

const count = 1_000;

const folder = setUpFolder();

function git(args: readonly string[], input = Buffer.alloc(0)): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder.path, GIT_CONFIG_NOSYSTEM: '1' };
    const child = execFile('git', [...args], { cwd: folder.path, env, maxBuffer: 2 ** 28 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    // A command that reads nothing may have ended before.
    child.stdin?.on('error', () => {}).end(input);
  });
}

const modeOf = (isExecutable: boolean) => (isExecutable ? '100755' : '100644');

/** The commands of `git fast-import` for a commit. */
function commitOf(ref: string, from: string | null, sequence: Sequence['steps']): Buffer {
  const parts: Buffer[] = [
    Buffer.from(`commit refs/heads/${ref}\ncommitter A <a@example.com> 1790000000 +0000\ndata ${ref.length}\n${ref}\n${from ?? ''}`),
  ];
  for (const step of sequence) {
    if (step.is === 'remove') parts.push(Buffer.from(`D ${quotedName(step.path)}\n`));
    else if (step.is === 'move') parts.push(Buffer.from(`R "${bare(step.from)}" "${bare(step.path)}"\n`));
    else {
      const head = `M ${modeOf(step.executable)} inline ${quotedName(step.path)}\ndata ${step.bytes.length}\n`;
      parts.push(Buffer.from(head), step.bytes, Buffer.from('\n'));
    }
  }
  return Buffer.concat([...parts, Buffer.from('\n')]);
}

const bare = (path: string) => quotedName(path).replace(/^"|"$/g, '');

type Raw = { oldMode: string; mode: string; oid: string; status: string; paths: string[] };

/** What Git says of the commits against their base, by the number of the sequence. */
async function rawChanges(...options: string[]): Promise<Map<number, Raw[]>> {
  const text = await git(['log', '--no-walk', '--branches=s/*', '--format=%s', '--raw', '-r', '-z', '--abbrev=40', ...options]);
  const all = new Map<number, Raw[]>();
  const words = text.split('\0');
  let changes: Raw[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = (words[at] as string).trim();
    if (word.startsWith('s/')) {
      changes = [];
      all.set(Number(word.split('/').at(-1)), changes);
    } else if (word.startsWith(':')) {
      const [oldMode = '', mode = '', , oid = '', status = ''] = word.slice(1).split(' ');
      const taken = status.startsWith('R') ? 2 : 1;
      changes.push({ oldMode, mode, oid, status, paths: words.slice(at + 1, at + 1 + taken) });
      at += taken;
    }
  }
  return all;
}

/** The changes of a sequence as the server reads and names them. */
const readChanges = ({ rows }: Sequence): RunChange[] => {
  const from = { originals: baseOfSequences, sources: baseOfSequences, encoded: new Map(), moved: new Map() };
  return rows.map((row) => toRunChange(row, from));
};
const named = (changes: readonly RunChange[]): Promise<NamedChange[]> =>
  withRenames({ renames: async ({ removed, added }) => findRenames(removed, added) }, changes);
const compare: FileThread['compare'] = async (files, options) => files.flatMap((one) => compareFile(one, options).diff ?? []);

const statusOf = (change: NamedChange) => {
  const { change: kind, from, similarity } = changeOf(toVersions(change));
  const status = { added: 'A', removed: 'D', changed: 'M', renamed: `R${String(similarity).padStart(3, '0')}` }[kind];
  return [status, ...(from === null ? [] : [from]), change.path].join(' ');
};

const isChanged = ({ before, after, renamed }: NamedChange) =>
  renamed || !before || !after || !before.bytes.equals(after.bytes) || before.executable !== after.executable;

/** The modes of a ZIP's entries, from its directory. */
function modesOf(zip: Buffer): Map<string, string> {
  const modes = new Map<string, string>();
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 46)) {
    const name = zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28)).toString();
    modes.set(name, modeOf(zip.readUInt32LE(at + 38) >>> 16 === 0o100755));
  }
  return modes;
}

type Files = Map<string, string>;
const listed = (files: Files) => [...files].map(([path, file]) => `${file} ${path}`).toSorted();
const baseFiles = (): Files =>
  new Map([...baseOfSequences].map(([path, { bytes, executable }]) => [path, `${modeOf(executable)} ${blobName(bytes)}`]));

/** The base without removed files, with those of the ZIP over it. */
function filesOfZip(changes: readonly RunChange[]): Files {
  const entries = changes.flatMap(({ path, after, createdAt }) =>
    after ? [{ path, createdAt, content: after.bytes, isExecutable: after.executable }] : [],
  );
  const zip = Buffer.from(zipArchive(entries));
  const [files, modes] = [baseFiles(), modesOf(zip)];
  for (const { path, after } of changes) if (!after) files.delete(path);
  for (const [path, bytes] of Object.entries(unzipSync(zip))) files.set(path, `${modes.get(path)} ${blobName(bytes)}`);
  return files;
}

function filesOfGit(changes: readonly Raw[]): Files {
  const files = baseFiles();
  for (const {
    status,
    mode,
    oid,
    paths: [path = ''],
  } of changes) {
    if (status === 'D') files.delete(path);
    else files.set(path, `${mode} ${oid}`);
  }
  return files;
}

const startOfSequences = [...baseOfSequences].map(([path, { bytes, executable }]) => ({ is: 'write', path, bytes, executable }) as const);

/** Makes the trees that are published. */
function publishedTrees(): { base: string; trees: string[]; conflicts: string[] } {
  const objects = new ObjectStore();
  const start = startOfSequences.map(({ path, bytes, executable }) => ({ path, before: null, after: bytes, isExecutable: executable }));
  const { oid: base } = changeTree(objects, null, start, true);
  const trees: string[] = [];
  const conflicts: string[] = [];
  for (const sequence of sequences) {
    const files = readChanges(sequence).map(({ path, before, after }) => ({
      ...{ path, before: before?.bytes ?? null, after: after?.bytes ?? null },
      ...{ wasExecutable: before?.executable, isExecutable: after?.executable },
    }));
    const changed = changeTree(objects, base, files, false);
    trees.push(changed.oid);
    conflicts.push(...changed.conflicts.map(({ path }) => path));
  }
  return { base, trees, conflicts };
}

const sequences = Array.from({ length: count }, (_, seed) => sequenceOfChanges(seed + 1));
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
let treesOfGit: string[] = [];

beforeAll(async () => {
  await git(['init', '-q', '-b', 'main']);
  const commits = sequences.map(({ steps }, at) => commitOf(`s/${at}`, 'from refs/heads/main\n', steps));
  await git(['fast-import', '--quiet'], Buffer.concat([commitOf('main', null, startOfSequences), ...commits]));
  const refs = (await git(['for-each-ref', '--format=%(refname:lstrip=3) %(tree)', 'refs/heads/s'])).trim().split('\n');
  treesOfGit = refs
    .map((line) => line.split(' '))
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, tree = '']) => tree);
});

test('C2.01 the published trees after 1,000 random sequences of changes equal Git’s trees', async () => {
  const { base, trees, conflicts } = publishedTrees();
  expect(base).toBe((await git(['rev-parse', 'main^{tree}'])).trim());
  expect(conflicts).toEqual([]);
  expect(trees).toEqual(treesOfGit);
}, 60_000);

test('C2.01 random changes have the renames that Git finds, and their ZIPs have the files that Git has', async () => {
  const [renames, plain] = [await rawChanges('-M'), await rawChanges('--no-renames')];
  const seen = new Set<string>();
  for (const [at, sequence] of sequences.entries()) {
    const changes = readChanges(sequence);
    const raw = renames.get(at) ?? [];
    const said = raw.map(({ status, paths }) => [status, ...paths].join(' '));
    expect((await named(changes)).filter(isChanged).map(statusOf).toSorted(), `sequence ${at}`).toEqual(said.toSorted());
    expect(listed(filesOfZip(changes)), `sequence ${at}`).toEqual(listed(filesOfGit(plain.get(at) ?? [])));
    for (const { status } of raw) seen.add(status.slice(0, 1));
  }
  expect([...seen].toSorted()).toEqual(['A', 'D', 'M', 'R']);
});

test('C2.01 the patches of random changes, applied by Git, make the same trees', async () => {
  const patches: Buffer[] = [];
  for (const [at, sequence] of sequences.entries()) {
    const changes = await named(readChanges(sequence));
    patches.push(
      await patchOf(
        { compare },
        changes.map((change) => inside(change, `s${at}/`)),
      ),
    );
  }
  const base = (await git(['rev-parse', 'main^{tree}'])).trim();
  const copies = sequences.map((_, at) => `M 040000 ${base} s${at}\n`).join('');
  const head = 'commit refs/heads/copies\ncommitter A <a@example.com> 1790000000 +0000\ndata 0\n';
  await git(['fast-import', '--quiet'], Buffer.from(`${head}${copies}\n`));
  await git(['read-tree', 'copies']);
  await writeFile(join(folder.path, 'all.patch'), Buffer.concat(patches));
  await git(['apply', '--cached', 'all.patch']);
  const tree = (await git(['write-tree'])).trim();
  const applied = (await git(['ls-tree', tree]))
    .trim()
    .split('\n')
    .map((line) => line.split(/[ \t]/));
  const expected = treesOfGit.flatMap((oid, at) => (oid === emptyTree ? [] : [`s${at} ${oid}`]));
  expect(applied.map(([, , oid, name]) => `${name} ${oid}`).toSorted()).toEqual(expected.toSorted());
});

/** What the server makes of a case: the tree, and what conflicts. */
async function mergedTree({
  base,
  ours,
  theirs,
}: MergeCase): Promise<{ tree: string; conflicts: FileConflict[]; renamed: FollowedRename[] }> {
  const objects = new ObjectStore();
  const written = (files: SideFiles) =>
    changeTree(
      objects,
      null,
      [...files].map(([path, { bytes, executable }]) => ({ path, before: null, after: bytes, isExecutable: executable })),
      true,
    );
  const paths = [...new Set([...base.keys(), ...ours.keys()])];
  const changes = paths.flatMap((path) => {
    const [before, after] = [base.get(path), ours.get(path)];
    const change = { path, before: before?.bytes ?? null, after: after?.bytes ?? null };
    return before === after ? [] : [{ ...change, wasExecutable: before?.executable, isExecutable: after?.executable }];
  });
  const origin = async () => ({ files: [...base].map(([path, { bytes }]) => ({ path, oid: blobName(bytes) })), paths: [] });
  const { oid: tree, conflicts, renamed } = await mergeChanges(objects, written(theirs).oid, changes, origin);
  return { tree, conflicts, renamed };
}

test('C7.02 in 200 random cases with renames on both sides, the same cases conflict as in Git, and the others give Git’s tree', async () => {
  const cases = Array.from({ length: 200 }, (_, seed) => mergeCaseOf(seed + 1));
  const commits = cases.flatMap(({ steps }, at) => [
    ...(at === 0 ? [commitOf('merge-base', null, steps.base)] : []),
    commitOf(`ours/${at}`, 'from refs/heads/merge-base\n', steps.ours),
    commitOf(`theirs/${at}`, 'from refs/heads/merge-base\n', steps.theirs),
  ]);
  await git(['fast-import', '--quiet'], Buffer.concat(commits));
  const pairs = cases.map((_, at) => `ours/${at} theirs/${at}\n`).join('');
  const options = ['-c', 'merge.directoryRenames=false', 'merge-tree', '--write-tree', '--stdin', '-z', '--no-messages'];
  const answers = (await git(options, Buffer.from(pairs))).split('\0').filter((word) => /^(?:[01]|[0-9a-f]{40})$/.test(word));
  const seen = new Map<string, number>();
  const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  for (const [at, one] of cases.entries()) {
    const isClean = answers[at * 2] === '1';
    const { tree, conflicts, renamed } = await mergedTree(one);
    expect(conflicts.length === 0, `case ${at}: ${JSON.stringify(conflicts)}`).toBe(isClean);
    if (isClean) expect(tree, `case ${at}`).toBe(answers[at * 2 + 1]);
    if (isClean) note(renamed.length > 0 ? 'followed' : 'clean');
    for (const { reason } of conflicts) note(reason);
  }
  expect([...seen.keys()].toSorted()).toEqual(['changed', 'clean', 'followed', 'lines', 'moved', 'removed', 'renamed']);
  expect(seen.get('followed')).toBeGreaterThan(30);
});

/** A change of a copy of the base in a folder. */
function inside(change: NamedChange, prefix: string): NamedChange {
  const { renamed } = change;
  return { ...change, path: `${prefix}${change.path}`, ...(renamed && { renamed: { ...renamed, from: `${prefix}${renamed.from}` } }) };
}
