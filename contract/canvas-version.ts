import { z } from 'zod';
import { canvasNode, connection } from './canvas.ts';
import { id, maxInteger, timestamp } from './common.ts';

const version = z.number().int().min(0);
/** A version in a path or a query. */
const givenVersion = z.coerce.number().int().min(1).max(maxInteger);
const count = z.number().int().min(0);

/** How many cards and links were added, removed, changed, or only moved. */
const versionCounts = z.object({
  added: count,
  removed: count,
  changed: count,
  moved: count,
  linksAdded: count,
  linksRemoved: count,
  linksChanged: count,
});
export type VersionCounts = z.infer<typeof versionCounts>;

export const markNameMaxLength = 100;
export const markNoteMaxLength = 2_000;
/** The most versions of a project that are marked by hand. */
export const maxHandMarks = 200;

/** A named version: marked by hand, or before a run, whose task it then names. */
export const canvasMark = z.object({
  version,
  kind: z.enum(['hand', 'run']),
  name: z.string(),
  note: z.string(),
  /** The run; absent once it is removed. */
  executionId: id.optional(),
  at: timestamp,
});
export type CanvasMark = z.infer<typeof canvasMark>;

export const canvasMarkSetting = z.object({
  name: z.string().trim().min(1).max(markNameMaxLength),
  note: z.string().trim().max(markNoteMaxLength).default(''),
});

/** Changes of one author that follow closely upon each other. A marked version ends its group. */
export const versionGroup = z.object({
  /** The newest version of the group. */
  version,
  /** The version before its first change; the same as `version` for the earliest version that is kept. */
  from: version,
  /** The saved changes that are kept. */
  changes: count,
  /** When the first and the last change were saved; null where that is not known. */
  since: timestamp.nullable(),
  at: timestamp.nullable(),
  author: z.object({ id, name: z.string() }).nullable(),
  counts: versionCounts,
  /** Titles of cards that were touched, three at most. */
  titles: z.array(z.string()),
  mark: canvasMark.nullable(),
});
export type VersionGroup = z.infer<typeof versionGroup>;

export const versionQuery = z.object({
  /** Lists versions before this one. */
  before: givenVersion.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** Lists only marked versions with this text in their name or note. */
  search: z.string().trim().max(200).optional(),
});

export const versionPage = z.object({
  /** Newest first. */
  items: z.array(versionGroup),
  /** `before` of the next page; null on the last one. */
  next: version.nullable(),
  /** The version of the canvas as it is. */
  current: version,
  /** How many bytes the versions of the project take, and may take. */
  bytes: count,
  maxBytes: count,
  /** All versions of so many days are kept, then marked ones and one a day. */
  keepDays: count,
  /** The newest version that was removed because of `maxBytes`; null if none was. */
  trimmed: version.nullable(),
});
export type VersionPage = z.infer<typeof versionPage>;

export const byVersion = z.object({ version: givenVersion });

export const versionPair = z.object({ left: givenVersion, right: givenVersion });

/** A record that differs between two versions, as it was in both; absent where it did not exist. */
const changed = <T extends z.ZodType>(record: T) => z.object({ id: z.string(), left: record.optional(), right: record.optional() });

export const versionComparison = z.object({
  left: version,
  right: version,
  nodes: z.array(changed(canvasNode)),
  connections: z.array(changed(connection)),
});
export type VersionComparison = z.infer<typeof versionComparison>;
