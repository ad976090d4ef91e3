import { randomOf, type SequenceStep } from './file-sequences.ts';

/** Files of one side by path. */
export type SideFiles = ReadonlyMap<string, { bytes: Buffer; executable: boolean }>;

/** What two sides made of the files that both began with. */
export type MergeCase = {
  base: SideFiles;
  ours: SideFiles;
  theirs: SideFiles;
  steps: { base: SequenceStep[]; ours: SequenceStep[]; theirs: SequenceStep[] };
};

const words = ['alpha', 'bravo', 'carol', 'delta', 'early', 'focus'];
const textOf = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} line ${at} ${at * 7}\n`).join('');
const baseFiles: SideFiles = new Map([
  ...words.map((word, at) => [`src/${word}.ts`, { bytes: Buffer.from(textOf(word, 12 + at * 3)), executable: at === 2 }] as const),
  ['docs/binary.bin', { bytes: Buffer.from(Array.from({ length: 600 }, (_, at) => (at * at * 31 + (at >> 3)) % 251)), executable: false }],
]);
const targets = ['lib', 'app/deep', 'other'];

/** Returns two sides of a seed. Each edits, removes, renames and adds a few files; renamed files have names that are in no other folder. */
export function mergeCaseOf(seed: number): MergeCase {
  const random = randomOf(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const sideOf = (): SideFiles => {
    const files = new Map(baseFiles);
    for (let left = 1 + Math.floor(random() * 6); left > 0; left -= 1) {
      const path = pick([...files.keys()]);
      const file = files.get(path) as { bytes: Buffer; executable: boolean };
      const kind = random();
      const isBinary = path.includes('binary');
      if (kind < 0.4 && !isBinary) files.set(path, { ...file, bytes: edited(file.bytes, random) });
      else if (kind < 0.75) {
        const name = path.split('/').at(-1) as string;
        const target = random() < 0.5 ? `${pick(targets)}/${name}` : `src/${pick(['new', 'next'])}-${name}`;
        if (files.has(target)) continue;
        files.delete(path);
        files.set(target, file);
      } else if (kind < 0.82) files.delete(path);
      else if (kind < 0.9)
        files.set(`src/${pick(['fresh', 'novel'])}.ts`, { bytes: Buffer.from(textOf(pick(words), 15)), executable: false });
      else files.set(path, { ...file, executable: !file.executable });
    }
    return files;
  };
  const [ours, theirs] = [sideOf(), sideOf()];
  return {
    base: baseFiles,
    ours,
    theirs,
    steps: { base: stepsTo(new Map(), baseFiles), ours: stepsTo(baseFiles, ours), theirs: stepsTo(baseFiles, theirs) },
  };
}

/** Returns what makes the files of one side out of others. */
function stepsTo(from: SideFiles, to: SideFiles): SequenceStep[] {
  const removed = [...from.keys()].filter((path) => !to.has(path)).map((path) => ({ is: 'remove', path }) as const);
  return [...removed, ...[...to].map(([path, file]) => ({ is: 'write', path, ...file }) as const)];
}

function edited(bytes: Buffer, random: () => number): Buffer {
  const lines = bytes.toString().split('\n').slice(0, -1);
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const at = Math.floor(random() * (lines.length + 1));
    lines.splice(at, random() < 0.6 ? 1 : 0, ...(random() < 0.8 ? [`edit ${Math.floor(random() * 9)}`] : []));
  }
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
