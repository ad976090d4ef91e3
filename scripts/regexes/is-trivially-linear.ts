/**
 * True for an expression that is linear by its form. It repeats nothing; or it begins at the text's start and repeats one character set
 * once; or it ends with its only repetition, which cannot fail.
 */
export function isTriviallyLinear(pattern: string, flags: string): boolean {
  if (flags.includes('v') || /\\[1-9k]/.test(pattern)) return false;
  const bare = withoutSets(pattern);
  const repetitions = bare.match(/[*+{]/g)?.length ?? 0;
  if (repetitions === 0) return true;
  if (repetitions > 1 || /[)][*+{]|\{/.test(bare)) return false;
  // A group that only looks around could still fail, or not be passed.
  if (/\(\?[=!<]/.test(bare)) return false;
  const anchored = bare.startsWith('^') && !bare.includes('|') && !flags.includes('m');
  const cannotFail = /[*+]$/.test(bare);
  return anchored || cannotFail;
}

/** The expression with one letter for each escape and each set of characters. */
function withoutSets(pattern: string): string {
  const plain = pattern.replaceAll(/\\[pPu]\{[^{}]*\}/g, 'p').replaceAll(/\\./gs, 'e');
  const [outside = '', ...sets] = plain.split('[');
  let bare = outside;
  let inside = false;
  // A set may hold an opening bracket as it stands.
  for (const part of sets) {
    const end = part.indexOf(']');
    if (!inside) bare += 's';
    inside = end < 0;
    if (!inside) bare += part.slice(end + 1);
  }
  return bare;
}
