import picomatch from 'picomatch';
import { RE2JS } from 're2js';
import { elapsed } from '../../../platform/clock.ts';
import { type FoundLine, type LineMatcher, linesIn } from './lines-in.ts';

export type Expression = { source: string; context: number };
export type SearchedText = { path: string; text: string };
/** The lines that a batch has, of `count` in all, and whether all of it was read in the time. */
export type Batch = { found: { path: string; lines: FoundLine[] }[]; count: number; isWhole: boolean };

/** Finds the lines of texts that an expression matches, within a time (ms) and a number of lines; more are counted. Runs in linear time. */
export function search({ source, context }: Expression, texts: readonly SearchedText[], limits: { ms: number; lines: number }): Batch {
  const expression = RE2JS.compile(source);
  const matches: LineMatcher = (line) => expression.test(line);
  const begun = elapsed();
  const found: Batch['found'] = [];
  let count = 0;
  for (const { path, text } of texts) {
    const lines: FoundLine[] = [];
    for (const one of linesIn(text, matches, context)) {
      if (one === null) {
        if (elapsed() - begun > limits.ms) return { found: withLines(found, path, lines), count, isWhole: false };
        continue;
      }
      if (one.isMatch) count += 1;
      if (count <= limits.lines) lines.push(one);
    }
    withLines(found, path, lines);
  }
  return { found, count, isWhole: true };
}

/** The tasks of the thread of `createSearchThread`. */
export const searchExpression = (task: { expression: Expression; texts: SearchedText[]; limits: { ms: number; lines: number } }) =>
  search(task.expression, task.texts, task.limits);

export function matchPaths({ pattern, paths }: { pattern: string; paths: readonly string[] }): string[] {
  const isMatch = picomatch(pattern, { dot: true, basename: !pattern.includes('/') });
  return paths.filter((path) => isMatch(path));
}

function withLines(found: Batch['found'], path: string, lines: FoundLine[]): Batch['found'] {
  if (lines.length > 0) found.push({ path, lines });
  return found;
}
