import type { ChangedFile } from '../../server/modules/files/index.ts';
import type { BaseVersion } from '../../server/modules/inputs/index.ts';

/** What a step did, as Git is told it. */
export type SequenceStep =
  | { is: 'write'; path: string; bytes: Buffer; executable: boolean }
  | { is: 'remove'; path: string }
  | { is: 'move'; from: string; path: string };

/** A random sequence of changes, and the newest versions of its files as the server has stored them. */
export type Sequence = { steps: SequenceStep[]; rows: ChangedFile[] };

const text = (content: string, executable = false): BaseVersion => ({ text: content, bytes: Buffer.from(content), executable });
const binary = (bytes: Buffer): BaseVersion => ({ text: null, bytes, executable: false });
const lines = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');
const noise = Buffer.from(Array.from({ length: 700 }, (_, at) => (at * at * 31 + (at >> 3)) % 251));

/** The files that each sequence begins with. */
export const baseOfSequences: ReadonlyMap<string, BaseVersion> = new Map([
  ['README.md', text(lines('read', 9))],
  ['bin/run.sh', text(`#!/bin/sh\n${lines('echo', 5)}`, true)],
  ['data/logo.png', binary(Buffer.concat([Buffer.from('a\0b\n'), noise]))],
  ['docs/имя файла.md', text(lines('слово', 6))],
  ['docs/old.txt', text(lines('row', 7).replaceAll('\n', '\r\n'))],
  ['empty.txt', text('')],
  ['lib/a.ts', text(lines('const a', 8))],
  ['src/a.ts', text(lines('const a', 8))],
  ['src/deep/x.ts', text(lines('const x', 20))],
  ['src/deep/y.ts', text(lines('const y', 3))],
]);

const names = ['README.md', 'a.ts', 'x.ts', 'run.sh', 'новый файл.md', 'quote".txt', 'src', 'deep', 'logo.png', 'back\\slash.txt'];
const folders = ['', 'src/', 'src/deep/', 'lib/', 'docs/', 'new/place/', 'a.ts/'];

type State = BaseVersion & { origin: string | null };

/** Returns the sequence of a seed: up to twelve writes, edits, removals, moves and modes, as the tools of agents take them. */
export function sequenceOfChanges(seed: number): Sequence {
  const random = randomOf(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const state = new Map<string, State>([...baseOfSequences].map(([path, file]) => [path, { ...file, origin: path }]));
  const rows = new Map<string, ChangedFile>();
  const steps: SequenceStep[] = [];
  const createdAt = new Date('2026-11-20T10:00:00Z');
  const store = (path: string, file: State, isMove: boolean, executable: boolean | null) => {
    const movedFrom = isMove || file.text === null ? file.origin : null;
    const known = rows.get(path);
    const mode = executable ?? known?.executable ?? null;
    rows.set(path, {
      path,
      content: file.text,
      removed: false,
      movedFrom: movedFrom ?? known?.movedFrom ?? null,
      executable: mode,
      createdAt,
    });
    state.set(path, file);
  };
  const remove = (path: string) => {
    state.delete(path);
    rows.set(path, { path, content: null, removed: true, movedFrom: null, executable: false, createdAt });
  };
  const write = (path: string, content: string) => {
    const file = text(withLineEnds(path, content), state.get(path)?.executable ?? false);
    store(path, { ...file, origin: state.get(path)?.origin ?? null }, false, null);
    steps.push({ is: 'write', path, bytes: file.bytes, executable: file.executable });
  };
  const isFree = (path: string) =>
    ![...state.keys()].some((other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`));

  for (let left = 1 + Math.floor(random() * 12); left > 0; left -= 1) {
    const [path, kind] = [pick([...state.keys(), 'none']), random()];
    const file = state.get(path);
    const target = `${pick(folders)}${pick(names)}`;
    if (kind < 0.2 && isFree(target)) write(target, lines(pick(['const x', 'const a', 'slow']), 1 + Math.floor(random() * 20)));
    else if (!file) continue;
    else if (kind < 0.45 && file.text !== null) write(path, edited(file.text, random));
    else if (kind < 0.65) {
      remove(path);
      steps.push({ is: 'remove', path });
    } else if (kind < 0.9 && isFree(target)) {
      remove(path);
      store(target, file, true, file.executable);
      steps.push({ is: 'move', from: path, path: target });
    } else {
      const executable = !file.executable;
      store(path, { ...file, executable }, false, executable);
      steps.push({ is: 'write', path, bytes: file.bytes, executable });
    }
  }
  return { steps, rows: [...rows.values()] };
}

/** A text of which all lines end in CRLF at the start of the run keeps them. */
function withLineEnds(path: string, content: string): string {
  const before = baseOfSequences.get(path)?.text ?? '';
  return before.includes('\r\n') && !content.includes('\r') ? content.replaceAll('\n', '\r\n') : content;
}

function edited(content: string, random: () => number): string {
  const all = content.split('\n').slice(0, -1);
  for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) {
    const at = Math.floor(random() * (all.length + 1));
    all.splice(at, random() < 0.5 ? 1 : 0, ...(random() < 0.7 ? [`edit ${Math.floor(random() * 5)}`] : []));
  }
  return all.map((line) => `${line}\n`).join('');
}

/** The generator mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
