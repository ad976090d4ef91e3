import { posix } from 'node:path';
import { type HashedText, hashText, similarityOf } from './similarity.ts';

export type RenamedFile = { path: string; bytes: Uint8Array };
/** `similarity`: in percent, as Git rounds it. */
export type Rename = { path: string; from: string; similarity: number };

/** The scale of Git's scores, the least score of a rename (50 %), and that of files of one name in other folders (75 %). */
const maxScore = 60_000;
const minScore = maxScore / 2;
const minNamesakeScore = minScore + (maxScore - minScore) / 2;
/** As `diff.renameLimit` of Git: with more pairs than its square only files with the same bytes are found. */
const renameLimit = 1_000;
/** The sources that are remembered for a file. */
const candidatesPerFile = 4;

type Candidate = { source: File; target: File; score: number; isNamesake: boolean };
type File = RenamedFile & { hashed?: HashedText };

/**
 * Returns which of the added files are removed ones in another place, as `git diff -M` finds them: first files with the same bytes, then files of
 * one name, then the most similar ones from 50 % on. Each removed file is taken once.
 */
export function findRenames(removed: readonly RenamedFile[], added: readonly RenamedFile[]): Rename[] {
  const renames = new Map<File, Rename>();
  const sources = new Set<File>(removed.toSorted(byPath));
  const targets = new Set<File>(added.toSorted(byPath));
  const take = (source: File, target: File, score: number) => {
    sources.delete(source);
    targets.delete(target);
    renames.set(target, { path: target.path, from: source.path, similarity: Math.floor((score * 100) / maxScore) });
  };
  takeSame(sources, targets, take);
  takeNamesakes(sources, targets, take);
  if (sources.size * targets.size <= renameLimit ** 2) takeSimilar(sources, targets, take);
  return [...renames.values()].sort(byPath);
}

type Files = Set<File>;
type Take = (source: File, target: File, score: number) => void;

function takeSame(sources: Files, targets: Files, take: Take): void {
  const isSame = (source: File, target: File) => Buffer.compare(source.bytes, target.bytes) === 0;
  for (const [source, target] of pairSame([...sources], [...targets], ({ bytes }) => bytes.length, isSame)) take(source, target, maxScore);
}

/**
 * Returns removed and added files with the same content, each once. Both lists are in the order of Git. Files with the same key may have the same
 * content. Of several, one of the same name is preferred.
 */
export function pairSame<T extends { path: string }>(
  removed: readonly T[],
  added: readonly T[],
  keyOf: (file: T) => string | number,
  isSame: (source: T, target: T) => boolean = () => true,
): [source: T, target: T][] {
  const byKey = Map.groupBy(removed, keyOf);
  const taken = new Set<T>();
  return added.flatMap((target): [T, T][] => {
    const same = (byKey.get(keyOf(target)) ?? []).filter((source) => !taken.has(source) && isSame(source, target));
    const source = same.find((one) => nameOf(one) === nameOf(target)) ?? same[0];
    if (!source) return [];
    taken.add(source);
    return [[source, target]];
  });
}

/** A name that one removed and one added file have. */
function takeNamesakes(sources: Files, targets: Files, take: Take): void {
  const byName = Map.groupBy(targets, nameOf);
  for (const [name, [source, ...others]] of Map.groupBy(sources, nameOf)) {
    const [target, ...further] = byName.get(name) ?? [];
    if (!source || !target || others.length + further.length > 0) continue;
    const score = scoreOf(source, target, minNamesakeScore);
    if (score >= minNamesakeScore) take(source, target, score);
  }
}

function takeSimilar(sources: Files, targets: Files, take: Take): void {
  const all = [...targets].flatMap((target) => {
    const best: Candidate[] = [];
    for (const source of sources) {
      const score = scoreOf(source, target, minScore);
      remember(best, { source, target, score, isNamesake: nameOf(source) === nameOf(target) });
    }
    return best;
  });
  for (const { source, target, score } of all.toSorted(byScore)) {
    if (score >= minScore && sources.has(source) && targets.has(target)) take(source, target, score);
  }
}

/** A candidate takes the place of the worst one that is worse. */
function remember(best: Candidate[], candidate: Candidate): void {
  if (best.length < candidatesPerFile) {
    best.push(candidate);
    return;
  }
  let worst = 0;
  for (const [at, one] of best.entries()) if (byScore(one, best[worst] as Candidate) > 0) worst = at;
  if (byScore(best[worst] as Candidate, candidate) > 0) best[worst] = candidate;
}

function byScore(one: Candidate, other: Candidate): number {
  return other.score - one.score || Number(other.isNamesake) - Number(one.isNamesake);
}

/** Zero for files whose lengths alone differ too much. */
function scoreOf(source: File, target: File, least: number): number {
  const [short, long] = [source.bytes.length, target.bytes.length].sort((one, other) => one - other) as [number, number];
  if (long * (maxScore - least) < (long - short) * maxScore || target.bytes.length === 0) return 0;
  source.hashed ??= hashText(source.bytes);
  target.hashed ??= hashText(target.bytes);
  return Math.floor((similarityOf(source.hashed, target.hashed) * maxScore) / long);
}

function nameOf({ path }: { path: string }): string {
  return posix.basename(path);
}

/** By their bytes, as Git sorts paths. */
export function byPath(one: { path: string }, other: { path: string }): number {
  return Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));
}
