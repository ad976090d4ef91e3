import type pg from 'pg';
import { throttle } from '../../../async/throttle.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { createEgress } from '../../platform/egress/egress.ts';
import type { PrivateHosts } from '../../platform/egress/private-hosts.ts';
import type { Proxies } from '../../platform/egress/proxies.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { Deliveries, type EventSender, type EventSenders } from './deliveries.ts';
import { createDueEmails, type DueEmailsDeps } from './due-emails.ts';
import type { ReceiverName } from './receivers.ts';
import { createHookSender, createSendHook } from './send-hook.ts';
import { Hooks } from './service.ts';

export type HooksDeps = {
  /** For API calls. */
  db: Db;
  /** For the worker. */
  work: { pool: pg.Pool; run: RunStatement };
  queue: WorkQueue;
  secrets: SecretBox;
  allowPrivateHosts: PrivateHosts;
  proxies: Proxies;
  isHostAllowed: (address: string) => Promise<boolean>;
  resolveProject: (userId: OwnerId, id: string) => Promise<string>;
  emails: Pick<DueEmailsDeps, 'mailer' | 'ownerOf' | 'countEmail'>;
  /** The server's public address. */
  address: () => string;
  now: () => Date;
  log: { warn: (about: object, line: string) => void };
};

/** The longest silence of a receiver, and the longest call (ms). */
const timeouts = { idleTimeoutMs: 10_000, totalTimeoutMs: 15_000 };
/** The shortest time between two looks for new events (ms). */
const relayEveryMs = 250;

export type HooksOfServer = {
  hooks: Hooks;
  /** Called when a statement has stored deliveries: sends them a moment later. Others are found by the work queue's own looks. */
  relaySoon: () => void;
  /** Sets how events reach other receivers than programs; null for those that this server cannot reach. */
  deliver: (senders: Record<Exclude<ReceiverName, 'hook'>, EventSender | null>) => void;
};

/** Creates the receivers of projects, and the worker that sends them events. */
export function createHooks(deps: HooksDeps): HooksOfServer {
  const { work, allowPrivateHosts, proxies, address, now, log } = deps;
  const egress = createEgress({ allowPrivate: allowPrivateHosts, proxies, ...timeouts });
  const sendEmails = createDueEmails(
    { ...deps.emails, run: work.run, address },
    {
      table: 'hooks_out',
      column: 'url',
      subject: 'mail.hookOff.subject',
      text: 'mail.hookOff.text',
      words: (url) => ({ host: new URL(url).host }),
    },
  );
  const sendHook = createHookSender({ secrets: deps.secrets, send: createSendHook({ egress, address, now }) });
  const senders: EventSenders = { hook: sendHook, telegram: unreachable, push: unreachable };
  const deliveries = new Deliveries({
    ...deps,
    ...work,
    senders,
    sendEmails,
  });
  const relay = () => {
    deliveries.relay().catch((error: unknown) => log.warn({ err: error }, 'New events for hooks could not be looked for now.'));
  };
  const relaySoon = throttle(relay, { ms: relayEveryMs, leading: false, later });
  return {
    hooks: new Hooks({ ...deps, relay: () => deliveries.relay() }),
    relaySoon: () => {
      // Should the look fail, the queue's own looks find the deliveries.
      deps.queue.noteUse('delivery');
      relaySoon();
    },
    deliver: (others) => {
      for (const name of Object.keys(others) as (keyof typeof others)[]) senders[name] = others[name] ?? unreachable;
    },
  };
}

/** A receiver that was added while the server could reach it, as a chat while it had a bot. */
const unreachable: EventSender = async () => ({ problem: 'unreachable', answerStatus: null });

function later(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
