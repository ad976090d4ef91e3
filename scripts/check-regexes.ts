import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTriviallyLinear } from './regexes/is-trivially-linear.ts';
import { isKnownLinear, keyOf, projectExpressions } from './regexes/project-expressions.ts';
import verified from './regexes/verified.json' with { type: 'json' };
import { whyNotLinear } from './regexes/why-not-linear.ts';

/**
 * Checks with recheck that every new regular expression takes linear time, and adds those that do to `regexes/verified.json`.
 * `--all` also checks the known ones again, and those that are linear by their form.
 */
const all = process.argv.includes('--all');
const reasoned: Record<string, string> = verified.reasoned;
const found = new Map(projectExpressions().map((expression) => [keyOf(expression), expression]));
const linear = new Set((verified.linear as string[]).filter((key) => found.has(key)));
let refused = 0;

for (const [key, expression] of found) {
  const { pattern, flags, file, line } = expression;
  if (key in reasoned || (!all && isKnownLinear(expression))) continue;
  const why = flags === null ? 'it is made while the program runs' : await whyNotLinear(pattern, flags);
  if (why === null) {
    if (flags !== null && !isTriviallyLinear(pattern, flags)) linear.add(key);
    save();
    continue;
  }
  linear.delete(key);
  refused += 1;
  console.log(`${file}:${line}: ${key}: ${why}`);
}

save();
console.log(`regular expressions: ${found.size - refused} of ${found.size} are linear`);
process.exitCode = refused === 0 ? 0 : 1;

function save(): void {
  const kept = Object.fromEntries(Object.entries(reasoned).filter(([key]) => found.has(key)));
  const list = { linear: [...linear].toSorted(), reasoned: kept };
  writeFileSync(join(import.meta.dirname, 'regexes/verified.json'), `${JSON.stringify(list, null, 2)}\n`);
}
