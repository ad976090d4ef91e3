import { z } from 'zod';
import { keyBudget, shownKeyBudget } from './budget.ts';
import { id, timestamp } from './common.ts';
import { cost } from './cost.ts';
import { maxInputFields } from './released-team.ts';

/** Triggers of one project. */
export const maxTriggers = 100;
/** Fires that wait for the end of a run of the same trigger. */
export const maxWaitingFires = 20;
/** Failed runs in a row that pause a trigger. */
export const maxFailures = 3;
/** The newest fires of a trigger whose bodies are kept, so that they can be sent again. */
export const keptBodies = 20;
/** The largest body of a webhook (bytes). */
export const maxWebhookBytes = 1024 * 1024;
/** Webhooks that one trigger takes in a minute. */
export const webhooksPerMinute = 60;
/** Instants that a preview of a schedule shows. */
export const shownInstants = 5;

/**
 * How a sender proves itself: as Standard Webhooks says; by an HMAC in the header of GitHub or Gitea; by a token in the header of GitLab; or by a bearer
 * token.
 */
export const webhookSchemes = ['standard', 'github', 'gitlab', 'gitea', 'bearer'] as const;
export type WebhookScheme = (typeof webhookSchemes)[number];

/** The path that stands for the kind of an event, as the header of its sender says it: `issues` for `X-GitHub-Event: issues`. */
export const eventPath = '$event';

/**
 * A place in a body: names and places in lists, as `issue.labels.0.name`; or `$event`. A backslash makes the character after it a part of a
 * name: `fields.System\.State`.
 */
export const bodyPath = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^(?:\\\P{Cc}|[^.\\\p{Cc}])+(?:\.(?:\\\P{Cc}|[^.\\\p{Cc}])+)*$/u);

const filterRule = z.strictObject({ path: bodyPath, is: z.enum(['equal', 'different', 'containing']), value: z.string().max(500) });
export type FilterRule = z.infer<typeof filterRule>;

const fieldName = z.string().max(40);

export const webhookSettings = z.strictObject({
  kind: z.literal('webhook'),
  scheme: z.enum(webhookSchemes).default('standard'),
  /** A body that one of them does not fit starts nothing. */
  filter: z.array(filterRule).max(8).default([]),
  /** Where the value of a field of the team stands in the body. */
  fields: z
    .record(fieldName, bodyPath)
    .refine((fields) => Object.keys(fields).length <= maxInputFields, { params: { rule: 'small' } })
    .default({}),
});

/** The short names of schedules, as cron of Linux has them. It has `@reboot` too, which is no time. */
const namedSchedules: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Five fields: minute, hour, day of the month, month, day of the week. Tabs are spaces, and a short name as `@daily` is its five fields. */
export const cronText = z
  .string()
  .trim()
  .max(100)
  .overwrite((text) => namedSchedules[text.toLowerCase()] ?? text.replace(/\s+/g, ' '))
  .regex(/^[\d*/,\-A-Za-z# ]+$/)
  .refine((text) => text.split(/ +/).length === 5, { params: { rule: 'characters' } })
  // Some dialects draw a time of their own for H, another one each time.
  .refine((text) => !/(?:^|[ ,/-])H/.test(text), { params: { rule: 'characters' } });
export const zoneName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[A-Za-z0-9_+\-/]+$/);

const scheduleSettings = z.strictObject({
  kind: z.literal('schedule'),
  cron: cronText,
  zone: zoneName,
  /** The values of the team's fields, the same in each run. */
  input: z
    .record(fieldName, z.string().max(20_000))
    .refine((input) => Object.keys(input).length <= maxInputFields, { params: { rule: 'small' } })
    .default({}),
});

/** Rounds in which a failed CI is repaired before a person is asked. */
export const maxRepairs = 3;
/** Fires of one issue or pull request in an hour; more of them pause it. */
export const maxThreadFires = 10;
/** Comments that a run is given. */
export const maxGivenComments = 20;

/** Events of the repository that the project is published to. The fields of the team are paths into the event: `title`, `text`, `author`, `number`, `url`. */
const forgeSettings = z.strictObject({
  kind: z.literal('forge'),
  /** An open issue with this label starts a run. */
  label: z.string().trim().min(1).max(50).default('artel'),
  /** Whether a comment that begins with the name of the token's account starts a run. */
  takesMentions: z.boolean().default(true),
  /** Whether a failed CI of a pull request is repaired. */
  repairs: z.boolean().default(false),
  /** Whether agents are shown comments of people without rights. */
  showsOthers: z.boolean().default(false),
  /** How often the repository is read; a hook makes it faster. */
  everyMinutes: z.number().int().min(1).max(10).default(2),
  fields: z
    .record(fieldName, bodyPath)
    .refine((fields) => Object.keys(fields).length <= maxInputFields, { params: { rule: 'small' } })
    .default({}),
});
export type ForgeSettings = z.output<typeof forgeSettings>;

const triggerSettings = z.discriminatedUnion('kind', [webhookSettings, scheduleSettings, forgeSettings]);
export type TriggerSettings = z.output<typeof triggerSettings>;
export type TriggerKind = TriggerSettings['kind'];
export type SettingsOf<Kind extends TriggerKind> = Extract<TriggerSettings, { kind: Kind }>;

/** What happens while an earlier run of the trigger is under way. */
export const overlaps = ['skip', 'queue', 'cancel_older'] as const;
/** What happens with an instant that is late by more than `graceSeconds`. */
export const missedRules = ['once', 'skip'] as const;
/** `schedule`: its next instant cannot be computed. */
export const pauseReasons = ['owner', 'failures', 'team', 'schedule'] as const;

const fireOutcomes = ['started', 'waiting', 'filtered', 'skipped', 'late', 'refused', 'failed'] as const;
export type FireOutcome = (typeof fireOutcomes)[number];

/** Why a fire has started nothing: words that the page has sentences for. */
const fireReasons = [
  'filter',
  'ping',
  'running',
  'newer',
  'model_away',
  'late',
  'queue',
  'budget',
  'busy',
  'quota',
  'paused',
  'team_gone',
  'team_changed',
  'input',
  'storage',
  'owner',
  'rights',
  'asks_nothing',
  'own_words',
  'name_inside',
  'repository',
  'thread_paused',
  'rounds',
  'schedule',
  'fault',
] as const;
export type FireReason = (typeof fireReasons)[number];

/** `dueAt`: the instant of a schedule, and the arrival of a webhook. `about`: what the sender calls its event. `again`: sent again by a person. */
export const fire = z.object({
  key: z.string(),
  dueAt: timestamp,
  at: timestamp,
  outcome: z.enum(fireOutcomes),
  reason: z.enum(fireReasons).nullable(),
  /** More about the reason, as which field is wrong. */
  detail: z.string().nullable(),
  about: z.string().nullable(),
  again: z.boolean(),
  hasBody: z.boolean(),
  run: z.object({ id, status: z.string() }).nullable(),
});
export type Fire = z.infer<typeof fire>;

/**
 * Why a repository could not be read last time: words that the page has sentences for. `limited`: its server has had too many calls. `locked`: it takes no
 * writes. `moved`: it is on another host now.
 */
const forgeProblems = [
  ...(['no_target', 'needs_token', 'not_found', 'refused', 'limited', 'locked', 'moved', 'unreachable', 'host'] as const),
] as const;
export type ForgeProblem = (typeof forgeProblems)[number];

/** The repository of a trigger for events of a forge. `login`: the account of the token, once it is known. */
const forgeState = z.object({
  url: z.string().nullable(),
  forge: z.enum(['github', 'gitlab', 'gitea']).nullable(),
  login: z.string().nullable(),
  readAt: timestamp.nullable(),
  problem: z.enum(forgeProblems).nullable(),
  /** What the forge said about the problem. */
  problemText: z.string().nullable(),
  /** Until when the repository is not read, because its server has had too many calls; null for one that is read. */
  waitsUntil: timestamp.nullable(),
});
export type ForgeState = z.infer<typeof forgeState>;

/**
 * `waiting`: for the end of an earlier run. `asked`: the run asks a person. `answered`: it has changed no files. `refused`: nothing was started, or its result
 * could not be published. `attention`: CI still fails after all repairs. `paused`: too many events in an hour.
 */
const forgeThreadStates = [
  ...(['waiting', 'started', 'asked', 'published', 'answered', 'refused', 'failed', 'attention', 'paused', 'closed'] as const),
] as const;
/** An issue or pull request of which runs were started. `number`: that of the issue. */
const forgeThread = z.object({
  number: z.number().int(),
  title: z.string(),
  url: z.string(),
  state: z.enum(forgeThreadStates),
  /** Why the comment on the issue could not be written last time; null where it is there. */
  problem: z.enum(forgeProblems).nullable(),
  request: z.object({ number: z.number().int(), url: z.string() }).nullable(),
  run: z.object({ id, status: z.string() }).nullable(),
  updatedAt: timestamp,
});
export type ForgeThreadShown = z.infer<typeof forgeThread>;
/** Issues that the record of a trigger shows. */
export const shownThreads = 20;

export const trigger = z.object({
  id,
  projectId: id,
  kind: z.enum(triggerSettings.options.map(({ shape }) => shape.kind.value)),
  name: z.string(),
  /** The released team that it runs; null after its withdrawal. */
  team: z.object({ id, slug: z.string(), title: z.string() }).nullable(),
  settings: triggerSettings,
  overlap: z.enum(overlaps),
  missed: z.enum(missedRules),
  graceSeconds: z.number().int(),
  budget: shownKeyBudget.nullable(),
  nextAt: timestamp.nullable(),
  pausedAt: timestamp.nullable(),
  pausedReason: z.enum(pauseReasons).nullable(),
  /** Failed runs in a row. */
  failures: z.number().int().min(0),
  lastFire: fire.nullable(),
  /** Where a webhook or the hook of a forge is sent to; null for a schedule. */
  address: z.string().nullable(),
  /** Null for other kinds. */
  forge: forgeState.nullable(),
  createdAt: timestamp,
});
export type Trigger = z.infer<typeof trigger>;

/** `costOfRun`: the mean of the team's last ten runs; null before the first. `firesADay`: the mean of four years of a schedule. */
export const triggerDetails = trigger.extend({
  fires: z.array(fire),
  next: z.array(timestamp),
  costOfRun: cost.nullable(),
  firesADay: z.number().nullable(),
  threads: z.array(forgeThread),
});
export type TriggerDetails = z.infer<typeof triggerDetails>;

const name = z.string().trim().min(1).max(100);
const graceSeconds = z.number().int().min(60).max(604_800);

/** A trigger without a budget of a day is refused: nothing starts by itself without a limit. */
export const triggerCreation = z.strictObject({
  name,
  teamId: id,
  settings: triggerSettings,
  budget: keyBudget,
  /** `skip` unless given. Events of a forge always wait: nothing of them is left out. */
  overlap: z.enum(overlaps).optional(),
  missed: z.enum(missedRules).default('once'),
  graceSeconds: graceSeconds.default(3_600),
});
export type TriggerCreation = z.input<typeof triggerCreation>;

/** What is not given stays. `isOn: true` also forgets earlier failures. */
export const triggerUpdate = z.strictObject({
  name: name.optional(),
  teamId: id.optional(),
  settings: triggerSettings.optional(),
  budget: keyBudget.optional(),
  overlap: z.enum(overlaps).optional(),
  missed: z.enum(missedRules).optional(),
  graceSeconds: graceSeconds.optional(),
  isOn: z.boolean().optional(),
});
export type TriggerUpdate = z.input<typeof triggerUpdate>;

/** The secret of a webhook or of a forge's hook, which is shown only here; null for a schedule. */
export const createdTrigger = trigger.extend({ secret: z.string().nullable() });
export type CreatedTrigger = z.infer<typeof createdTrigger>;

/** The secret before it is valid until `earlierUntil`. */
export const newTriggerSecret = z.object({ secret: z.string(), earlierUntil: timestamp });

export const schedulePreviewQuery = z.object({ cron: cronText, zone: zoneName });
/** The next instants, and how often the schedule fires on a day. A time that the clocks leave out is moved behind the gap. */
export const schedulePreview = z.object({ next: z.array(timestamp), firesADay: z.number() });
export type SchedulePreview = z.infer<typeof schedulePreview>;

export const byTrigger = z.object({ triggerId: id });
export const byFire = byTrigger.extend({ key: z.string().min(1).max(300) });

/** A body that is tried: nothing is started, and nothing is stored. */
export const triggerTrial = z.strictObject({
  body: z.string().max(maxWebhookBytes),
  /** The kind of the event, as the header of its sender would say it. */
  event: z.string().max(100).optional(),
});
export const triggerTried = z.object({
  /** Whether it would start a run. */
  passes: z.boolean(),
  reason: z.enum(fireReasons).nullable(),
  detail: z.string().nullable(),
  /** The task that the run would get. */
  task: z.string().nullable(),
});
