/** Returns recheck's finding: null for linear time, else the reason why that is not proven. */
export async function whyNotLinear(pattern: string, flags: string, timeout = 10_000): Promise<string | null> {
  // Its JavaScript: the others are a Java program and a native one.
  process.env.RECHECK_BACKEND = 'pure';
  const { checkSync } = await import('recheck');
  const found = checkSync(pattern, flags, { checker: 'automaton', timeout });
  if (found.status === 'unknown') return JSON.stringify(found.error);
  return found.status === 'safe' ? null : found.complexity.summary;
}
