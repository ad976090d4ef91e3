import { z } from 'zod';
import { runBudget } from './budget.ts';
import { entity, id, timestamp } from './common.ts';
import { cost } from './cost.ts';
import { failure } from './errors.ts';
import { executionStatuses } from './executions/execution.ts';
import { question } from './executions/question.ts';
import { gitAddress, inputLimits } from './input.ts';
import { projectId } from './project.ts';
import type { FormParts } from './route.ts';

/** Teams that one account may have released. */
export const maxReleasedTeams = 50;
/** Runs of one team at the same time. */
export const maxTeamRunsAtOnce = 100;
export const maxInputFields = 8;
/** The longest text of a field (UTF-16 units). */
const fieldTextMaxLength = 50_000;
const maxChoices = 50;
/** Earlier releases and calls that the record of a team shows. */
export const shownReleases = 50;
export const shownCalls = 20;

/**
 * Who writes what programs give a team. `outsiders`: others than the account, as in tickets and letters, so that each call that leaves the run asks.
 * `account`: only its people.
 */
export const fieldAuthors = ['outsiders', 'account'] as const;
export type FieldAuthor = (typeof fieldAuthors)[number];

/** The name of a team in its address: letters, figures and hyphens. */
const teamSlug = z
  .string()
  .trim()
  .toLowerCase()
  .min(2)
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);

/** Parts of a form that are no fields. */
const reservedNames: ReadonlySet<string> = new Set(['git', 'language', '__proto__', 'constructor', 'prototype']);
const fieldName = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/)
  .refine((name) => !reservedNames.has(name), { params: { rule: 'reservedKey' } });

const fieldBase = { name: fieldName, title: z.string().trim().max(100).default(''), isOptional: z.boolean().default(false) };

/** What a caller gives to a run of a released team. A file becomes a file of the run; the others stand in its task. */
export const inputField = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), ...fieldBase }),
  z.object({ kind: z.literal('choice'), ...fieldBase, choices: z.array(z.string().trim().min(1).max(200)).min(1).max(maxChoices) }),
  z.object({ kind: z.literal('number'), ...fieldBase }),
  z.object({ kind: z.literal('file'), ...fieldBase }),
]);
export type InputField = z.infer<typeof inputField>;

const inputFields = z
  .array(inputField)
  .max(maxInputFields)
  .superRefine((fields, context) => {
    fields.forEach(({ name }, at) => {
      if (fields.findIndex((other) => other.name === name) < at)
        context.addIssue({ code: 'custom', path: [at, 'name'], params: { rule: 'twice' } });
    });
  });

/** A file of a call: its text, or its bytes where it came as a part of a form. */
const givenFile = z.object({
  name: z.string().trim().min(1).max(1_000),
  content: z
    .custom<string | Uint8Array>((content) => typeof content === 'string' || content instanceof Uint8Array, { params: { rule: 'text' } })
    .refine(({ length }) => length <= inputLimits.fileBytes, { params: { rule: 'small' } })
    .meta({ type: 'string' }),
});
export type GivenFile = z.infer<typeof givenFile>;

/** The database stores no NUL. */
const storedText = (text: z.ZodString) =>
  text.max(fieldTextMaxLength).refine((given) => !given.includes('\0'), { params: { rule: 'characters' } });

/** A number, or its digits as a form sends them. */
const givenNumber = z.union([
  z.number(),
  z
    .string()
    .trim()
    .max(40)
    .regex(/^[+-]?\d+(?:\.\d+)?$/)
    .transform(Number),
]);

function schemaOfField(field: InputField) {
  switch (field.kind) {
    case 'text':
      return storedText(field.isOptional ? z.string() : z.string().trim().min(1));
    case 'choice':
      return z.enum(field.choices as [string, ...string[]]);
    case 'number':
      return givenNumber;
    case 'file':
      return givenFile;
  }
}

/** The schema of a team's input. The API checks calls by it, the page its form, and MCP clients read it as a JSON schema. */
export function inputSchemaOf(fields: readonly InputField[]) {
  return z.strictObject(
    Object.fromEntries(
      fields.map((field) => {
        const schema = schemaOfField(field).describe(field.title || field.name);
        return [field.name, field.isOptional ? schema.optional() : schema];
      }),
    ),
  );
}
export type TeamInput = Record<string, string | number | GivenFile | undefined>;

/**
 * Returns the task of a run: in the team's task each `{name}` is replaced by the value of its field, and fields that it does not name follow, a
 * line each. Values are never read as names. Of a file the name stands there: `fillTask('Sum up {topic}', fields, { topic: 'tea' })` is `Sum up tea`.
 */
export function fillTask(task: string, fields: readonly InputField[], input: TeamInput): string {
  const known = new Map(fields.map((field) => [field.name, field]));
  const shown = (name: string) => {
    const value = input[name];
    return typeof value === 'object' ? value.name : String(value ?? '');
  };
  const named = new Set<string>();
  const filled = task.replace(/\{([A-Za-z][A-Za-z0-9_]{0,39})\}/g, (whole, name: string) => {
    if (!known.has(name)) return whole;
    named.add(name);
    return shown(name);
  });
  const others = fields.filter(({ name, kind }) => kind !== 'file' && !named.has(name) && input[name] !== undefined);
  return [filled.trim(), others.map(({ name, title }) => `${title || name}: ${shown(name)}`).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The JSON schema of a team's input, in which a file is its name and text. */
export function inputJsonSchemaOf(fields: readonly InputField[]): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(inputSchemaOf(fields), { io: 'input', unrepresentable: 'any' });
  return schema;
}

/** One row of a team's history: releasing an earlier version again is one more. */
const release = z.object({
  number: z.number().int().min(1),
  teamVersionId: id,
  /** The number of the team version. */
  version: z.number().int().min(1),
  /** The canvas of the team version. */
  canvasVersion: z.number().int().min(0),
  releasedBy: z.string(),
  releasedAt: timestamp,
});
export type Release = z.infer<typeof release>;

/** A call that has started a run. `by`: the name of its key, or of the account for the page's form. `from`: the address of a call with a key. */
const teamCall = z.object({
  runId: id,
  status: z.enum(executionStatuses),
  release: z.number().int().min(1),
  by: z.string(),
  from: z.string().nullable(),
  at: timestamp,
});
export type TeamCall = z.infer<typeof teamCall>;

/** A frozen team that programs call by its slug. The draft on the canvas never runs here. */
export const releasedTeam = entity.extend({
  projectId: id,
  slug: z.string(),
  title: z.string(),
  /** The task, in which `{name}` stands for a field. */
  task: z.string(),
  input: z.array(inputField),
  /** Limits of each of its runs. */
  budget: runBudget.nullable(),
  /** Runs at the same time. */
  atOnce: z.number().int().min(1),
  filledBy: z.enum(fieldAuthors),
  live: release,
  /** The address that programs call. */
  address: z.string(),
});
export type ReleasedTeam = z.infer<typeof releasedTeam>;

/** `costOfRun`: the mean of its last ten completed runs; null before the first. */
export const releasedTeamDetails = releasedTeam.extend({
  releases: z.array(release),
  calls: z.array(teamCall),
  costOfRun: cost.nullable(),
});
export type ReleasedTeamDetails = z.infer<typeof releasedTeamDetails>;

const teamSettings = {
  title: z.string().trim().min(1).max(200),
  task: z.string().trim().max(20_000),
  input: inputFields,
  budget: runBudget.nullable(),
  atOnce: z.number().int().min(1).max(maxTeamRunsAtOnce),
  filledBy: z.enum(fieldAuthors),
};

/** What runs: a pipeline of the present canvas, whose agents are frozen with it. `canvasVersion`: the canvas that it was made from. */
const present = { pipelineId: id, canvasVersion: z.number().int().min(0).optional() };

export const teamRelease = z.strictObject({
  ...present,
  slug: teamSlug,
  ...teamSettings,
  task: teamSettings.task.default(''),
  input: teamSettings.input.default([]),
  budget: teamSettings.budget.default(null),
  atOnce: teamSettings.atOnce.default(5),
  filledBy: teamSettings.filledBy.default('outsiders'),
});
export type TeamRelease = z.input<typeof teamRelease>;

/** A field that is left out keeps its value. */
export const releasedTeamChange = z.strictObject({
  slug: teamSlug.optional(),
  title: teamSettings.title.optional(),
  task: teamSettings.task.optional(),
  input: teamSettings.input.optional(),
  budget: teamSettings.budget.optional(),
  atOnce: teamSettings.atOnce.optional(),
  filledBy: teamSettings.filledBy.optional(),
});
export type ReleasedTeamChange = z.input<typeof releasedTeamChange>;

/** Releases the present team, or the earlier release with a number. */
export const nextRelease = z
  .strictObject({ pipelineId: id.optional(), canvasVersion: present.canvasVersion, release: z.number().int().min(1).optional() })
  .refine(({ pipelineId, release: earlier }) => (pipelineId === undefined) !== (earlier === undefined), {
    path: ['pipelineId'],
    params: { rule: 'required' },
  });

export const byReleasedTeam = z.object({ id: projectId, teamId: id });

/** What programs see of a team that they may call. */
export const callableTeam = z.object({
  slug: z.string(),
  title: z.string(),
  release: z.number().int().min(1),
  input: z.array(inputField),
  /** The JSON schema of `input` of a call. */
  schema: z.record(z.string(), z.unknown()),
  address: z.string(),
});
export type CallableTeam = z.infer<typeof callableTeam>;

/** Not the slug's own rules: an address that no team can have is answered as one that none has. */
const slugInPath = z.string().max(200).toLowerCase();
export const bySlug = z.object({ slug: slugInPath });
export const byTeamRun = z.object({ slug: slugInPath, id });
export const byTeamQuestion = byTeamRun.extend({ questionId: id });

/** A call is JSON, or a form whose parts have the names of the fields. Fields are checked by the schema of the team. */
export const teamRunStart = z.strictObject({
  input: z.record(z.string().max(200), z.unknown()).default({}),
  /** A repository that the run begins with. */
  git: gitAddress.optional(),
});

/** The body of a call that is a form: `git` is the address of a repository, and every other part a field. */
export function teamRunOfForm({ git, ...input }: FormParts): unknown {
  return { input, ...(git !== undefined && { git: { url: git } }) };
}

/** `waiting`: the run asks a person. */
const teamRunStatuses = ['queued', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled'] as const;

const openQuestion = question.pick({ id: true, kind: true, title: true, text: true, dueAt: true }).extend({
  /** Where a program reads and answers it. */
  address: z.string(),
  /** Where a person answers it. */
  page: z.string(),
  /** Whether a key with the scope `answer` may answer it. */
  byPrograms: z.boolean(),
});

export const teamRun = z.object({
  id,
  team: z.string(),
  release: z.number().int().min(1),
  status: z.enum(teamRunStatuses),
  progress: z.number(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  error: failure.nullable(),
  lastSeq: z.number().int().min(0),
  questions: z.array(openQuestion),
  addresses: z.object({ run: z.string(), events: z.string(), result: z.string(), questions: z.string(), page: z.string() }),
});
export type TeamRun = z.infer<typeof teamRun>;

/** `since`: only events after this number. */
export const teamEventsQuery = z.object({ since: z.coerce.number().int().min(0).max(2_147_483_647).optional() });

export const teamResult = z.object({
  status: z.enum(teamRunStatuses),
  /** Markdown; null until the run has ended. */
  text: z.string().nullable(),
  error: failure.nullable(),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int().min(0), address: z.string() })),
  /** All changes as `git apply` takes them; null without files. */
  patch: z.string().nullable(),
  archive: z.string().nullable(),
});
export type TeamResult = z.infer<typeof teamResult>;

export const teamQuestion = question.extend({ byPrograms: z.boolean(), address: z.string() });
export type TeamQuestion = z.infer<typeof teamQuestion>;
