import type { InputField } from '../../../../contract/released-team.ts';
import type { FireReason, overlaps, SettingsOf, TriggerKind, WebhookScheme } from '../../../../contract/trigger.ts';
import type { Language } from '../../../http/call.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { WordSource } from '../../executions/index.ts';
import type { AskedCall } from '../../released-teams/index.ts';
import type { ForgeThreads } from '../forge/threads.ts';
import type { TriggerRow } from '../tables.ts';
import type { Arrival, TeamValues } from './team-values.ts';

type At = { now: Date; language: Language };
export type Threads = Pick<ForgeThreads, 'partsOf' | 'started'>;
export type Outlook = { next: Date[]; firesADay: number };

/** What a kind of trigger is to the server. `src/app/triggers/trigger-kinds.tsx` says how the page shows it. */
export type TriggerKindOf<Kind extends TriggerKind> = {
  /** Where the words of a fire come from. */
  words: WordSource;
  /** Whether something comes with a fire. */
  hasBody: boolean;
  /** Whether an event comes only once: then it waits for what passes, and a few wait in a full account too. */
  comesOnce: boolean;
  /** Fires that wait at most; null for all of them. */
  maxWaiting: number | null;
  /** What keeps a waiting fire waiting that otherwise ends it. */
  waitsFor: ReadonlySet<FireReason>;
  /** What happens while an earlier run is under way, where the request leaves it out. */
  overlap: (typeof overlaps)[number] | null;
  /** Settings that stay as they were at first. */
  fixed: readonly (keyof SettingsOf<Kind>)[];
  /** Whether its events are read from the repository of its project: a paused one is read on until all results are handed on. */
  readsRepository: boolean;
  /** How programs call it; null where none does. */
  hook: HookOf<Kind> | null;
  /** The queue of the job that waits for its next event. */
  queue: 'trigger' | 'forge';
  /** Sets when it looks for its next event, and sends the job of that. */
  begin: (tx: Db, id: string, settings: SettingsOf<Kind>, queue: Pick<WorkQueue, 'send'>) => Promise<TriggerRow>;
  /** Throws `bad_request` for settings that never start anything. */
  check: (settings: SettingsOf<Kind>, at: At) => Promise<unknown>;
  /** Which fields of the team have a value, and where it stands in the settings. */
  filled: (settings: SettingsOf<Kind>) => { at: string; values: Readonly<Record<string, string>> };
  /** The next events, as far as they are known before. */
  outlook: (settings: SettingsOf<Kind>, from: Date) => Promise<Outlook | null>;
  /** Whether a sender only tries whether its call arrives, by what it calls its event. */
  isPing: (event: string | null) => boolean;
  /** The input of a team by what has come in. */
  input: (settings: SettingsOf<Kind>, fields: readonly InputField[], arrival: Arrival) => TeamValues;
  /** What a run begins with besides its input. */
  parts: (
    threads: Threads,
    trigger: TriggerRow,
    body: string | null,
    language: Language,
  ) => Promise<Partial<Pick<AskedCall, 'files' | 'git' | 'added' | 'follows'>>>;
  /** Notes a run in the transaction that starts it. Returns false where it has to wait. */
  started: (threads: Threads, tx: Db, started: { trigger: TriggerRow; body: string | null; runId: string }) => Promise<boolean>;
};

type HookOf<Kind extends TriggerKind> = {
  /** How a sender proves itself, by the kind of server that the project is published to; null where none can. */
  scheme: (settings: SettingsOf<Kind>, forge: () => Promise<WebhookScheme | null>) => Promise<WebhookScheme | null>;
  /** The scheme that a new secret has the form of. */
  secretFor: (settings: SettingsOf<Kind>) => WebhookScheme;
  /** Whether a call carries the event. Otherwise it says that there may be one, and makes the reading of it faster. */
  carriesEvent: boolean;
};
