import { parse } from 'smol-toml';
import { z } from 'zod';

/** The extras and groups of dependencies that tests usually need. */
const testGroups = ['test', 'tests', 'testing', 'dev', 'develop', 'development', 'ci'];
/** More requirements than these are not read from one manifest. */
const maxRequirements = 300;
/** A requirement as pip takes it (PEP 508): it begins with a name, so that none is an option. */
const requirement = /^[A-Za-z0-9][\x20-\x7e]{0,299}$/;

const texts = z.array(z.unknown()).catch([]);
const groups = z.record(z.string(), z.unknown()).catch({});
const poetryVersions = z.record(z.string(), z.union([z.string(), z.object({ version: z.string().optional() })])).catch({});

/** What is read of `pyproject.toml`: the standard tables (PEP 621, PEP 735), and those of tools that have groups of their own. */
const pyproject = z.looseObject({
  'build-system': z.unknown().optional(),
  project: z.looseObject({ dependencies: texts, 'optional-dependencies': groups }).optional(),
  'dependency-groups': groups.optional(),
  tool: z
    .looseObject({
      uv: z.looseObject({ 'dev-dependencies': texts }).optional(),
      pdm: z.looseObject({ 'dev-dependencies': groups }).optional(),
      hatch: z.looseObject({ envs: groups }).optional(),
      poetry: z.looseObject({ dependencies: poetryVersions, 'dev-dependencies': poetryVersions, group: groups }).optional(),
    })
    .optional(),
});
type Pyproject = z.infer<typeof pyproject>;

/**
 * Returns what pip installs for a `pyproject.toml`, with what tests usually need: the project itself with its extras where it says how it is built,
 * else the dependencies that it names (the rule of uv). Empty where it names none. Null for a text that is no TOML.
 */
export function requirementsOf(text: string): string[] | null {
  const read = readToml(text);
  if (read === null) return null;
  const { project, tool } = read;
  const extras = Object.keys(project?.['optional-dependencies'] ?? {}).filter((name) => testGroups.includes(name));
  const isBuilt = read['build-system'] !== undefined;
  const own = isBuilt
    ? [editable(extras)]
    : [
        ...listed(project?.dependencies),
        ...extras.flatMap((name) => listed(project?.['optional-dependencies']?.[name])),
        ...ofPoetry(tool?.poetry?.dependencies),
      ];
  return [...new Set([...own, ...groupsOf(read)])].slice(0, maxRequirements);
}

/** Returns the project itself, in the folder of the job, as a requirement. */
export function editable(extras: readonly string[]): string {
  return extras.length === 0 ? '-e .' : `-e .[${extras.join(',')}]`;
}

/** Returns the requirements as arguments of a shell. */
export function pipArguments(requirements: readonly string[]): string {
  return requirements.map((one) => (one.startsWith('-e ') ? `-e '${one.slice(3)}'` : `'${one.replaceAll("'", "'\\''")}'`)).join(' ');
}

function readToml(text: string): Pyproject | null {
  try {
    return pyproject.parse(parse(text));
  } catch {
    return null;
  }
}

function groupsOf({ 'dependency-groups': standard = {}, tool }: Pyproject): string[] {
  const { uv, pdm, hatch, poetry } = tool ?? {};
  const ofHatch = [...testGroups, 'default', 'hatch-test'].flatMap((name) => {
    const env = z.object({ dependencies: texts }).safeParse(hatch?.envs?.[name]);
    return env.success ? listed(env.data.dependencies) : [];
  });
  const ofPoetryGroups = testGroups.flatMap((name) => {
    const group = z.object({ dependencies: poetryVersions }).safeParse(poetry?.group?.[name]);
    return group.success ? ofPoetry(group.data.dependencies) : [];
  });
  return [
    ...testGroups.flatMap((name) => expanded(standard, name)),
    ...listed(uv?.['dev-dependencies']),
    ...testGroups.flatMap((name) => listed(pdm?.['dev-dependencies']?.[name])),
    ...ofHatch,
    ...ofPoetry(poetry?.['dev-dependencies']),
    ...ofPoetryGroups,
  ];
}

/** Returns the requirements of a group with those of the groups that it includes (PEP 735), each group once. */
function expanded(all: Record<string, unknown>, name: string, seen = new Set<string>()): string[] {
  const group = Object.hasOwn(all, name) ? all[name] : undefined;
  if (seen.has(name) || !Array.isArray(group)) return [];
  seen.add(name);
  return group.flatMap((one) => {
    const included = z.object({ 'include-group': z.string() }).safeParse(one);
    return included.success ? expanded(all, included.data['include-group'], seen) : listed([one]);
  });
}

function listed(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((one): one is string => typeof one === 'string' && requirement.test(one)) : [];
}

/** Poetry has signs of its own for versions: `^1.2` allows later ones. */
function ofPoetry(versions: z.infer<typeof poetryVersions> = {}): string[] {
  const found = Object.entries(versions).filter(([name]) => name !== 'python');
  return listed(
    found.map(([name, told]) => {
      const version = (typeof told === 'string' ? told : (told.version ?? '*')).trim();
      if (/^[\^~](?!=)/.test(version)) return `${name}>=${version.slice(1)}`;
      return version === '*' ? name : /^[<>=!~]/.test(version) ? `${name}${version}` : `${name}==${version}`;
    }),
  );
}
