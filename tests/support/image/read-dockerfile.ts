export type Instruction = { name: string; args: string };
export type Stage = { name: string; base: string; instructions: Instruction[] };

/** Returns the stages of a Dockerfile in order. A stage without a name has its number. Instructions that go on in the next line are joined. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', args = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name !== 'FROM') stages.at(-1)?.instructions.push({ name, args });
    else {
      const [base = '', , alias = String(stages.length)] = args.split(/\s+/);
      stages.push({ name: alias, base, instructions: [] });
    }
  }
  return stages;
}

/** The sources and the target of a COPY, and the stage that it copies from, null for the repository. */
export function readCopy(args: string): { from: string | null; sources: string[]; target: string } {
  const words = args.split(/\s+/);
  const flags = words.filter((word) => word.startsWith('--'));
  const unknown = flags.filter((flag) => !flag.startsWith('--from='));
  if (unknown.length > 0) throw new Error(`COPY has an unknown flag: ${unknown.join(' ')}`);
  const paths = words.filter((word) => !word.startsWith('--'));
  return { from: flags[0]?.slice('--from='.length) ?? null, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}
