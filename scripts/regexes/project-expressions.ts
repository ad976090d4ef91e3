import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, findExpressions } from './find-expressions.ts';
import { isTriviallyLinear } from './is-trivially-linear.ts';
import verified from './verified.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const known = new Set<string>([...verified.linear, ...Object.keys(verified.reasoned)]);

/** An entry of `verified.json`. */
export function keyOf({ pattern, flags }: Pick<Expression, 'pattern' | 'flags'>): string {
  return flags === null ? pattern : `/${pattern}/${flags}`;
}

/** Every expression of the product's code and its scripts. */
export function projectExpressions(): Expression[] {
  const files = globSync('{async,contract,rules,scripts,server,src}/**/*.{ts,tsx,js,mjs}', { cwd: root, exclude: ['**/node_modules/**'] });
  return files.toSorted().flatMap((file) => findExpressions(file, readFileSync(join(root, file), 'utf8')));
}

/** True when the expression is known to take linear time. */
export function isKnownLinear(expression: Expression): boolean {
  const { pattern, flags } = expression;
  return (flags !== null && isTriviallyLinear(pattern, flags)) || known.has(keyOf(expression));
}
