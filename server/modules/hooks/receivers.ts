import type { HookDelivery } from '../../../contract/hook.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { noteOfHook } from './note-of-hook.ts';
import { hookDeliveries, type TryOutcome } from './tables.ts';

/** The placeholders of an event. */
type EventPlaces = { event: string; user: string; project: string };

/** A kind of receiver of events. `create-hooks.ts` has how each is reached. */
type Receiver = {
  table: string;
  /** The column with the id of the receiver of a delivery. Its foreign key removes the deliveries with their receiver. */
  column: keyof typeof hookDeliveries.$inferSelect;
  /** SQL of the receivers that want an event: `target`, and whether they may have its texts. Those that are being removed are passed by. */
  wanting: (places: EventPlaces) => string;
  /** Notes how a try ended in what the receiver is, in the transaction that stores its end. */
  note:
    | ((run: RunStatement, target: string, ended: Pick<TryOutcome, 'problem'> & { event: HookDelivery['event'] }) => Promise<void>)
    | null;
};

export const receivers = {
  hook: {
    table: 'hooks_out',
    column: 'hookId',
    wanting: ({ event, project }) => `SELECT id AS target, with_texts FROM hooks_out
      WHERE project_id = ${project} AND off_since IS NULL AND ${event} = ANY (events) FOR KEY SHARE SKIP LOCKED`,
    note: noteOfHook,
  },
  telegram: {
    table: 'telegram_chats',
    column: 'chatOf',
    wanting: ({ event, user, project }) => `SELECT chat.user_id AS target, false AS with_texts
      FROM telegram_projects AS wish JOIN telegram_chats AS chat ON chat.user_id = wish.user_id
      WHERE wish.project_id = ${project} AND chat.user_id = ${user} AND chat.blocked_at IS NULL AND ${event} = ANY (wish.events)
      FOR KEY SHARE OF chat SKIP LOCKED`,
    note: null,
  },
  push: {
    table: 'push_devices',
    column: 'deviceId',
    wanting: ({ event, user }) => `SELECT device.id AS target, false AS with_texts
      FROM push_devices AS device JOIN sessions ON sessions.id = device.session_id
      WHERE device.user_id = ${user} AND sessions.ended_at IS NULL AND ${event} = ANY (device.events) FOR KEY SHARE OF device SKIP LOCKED`,
    note: null,
  },
} satisfies Record<string, Receiver>;

export type ReceiverName = keyof typeof receivers;

const named: [string, Receiver][] = Object.entries(receivers);
const nameOf = ({ column }: Receiver) => hookDeliveries[column].name;

/** The columns of a delivery of which its receiver has one. */
export const receiverColumns = named.map(([, receiver]) => nameOf(receiver)).join(', ');

const selecting = named.map(([name, receiver]) => {
  const columns = named.map(([, other]) => `${other === receiver ? 'target' : 'NULL::uuid'} AS ${nameOf(other)}`).join(', ');
  return { name, receiver, select: `SELECT ${columns}, with_texts` };
});

/** SQL of all receivers that want an event, with their columns and `with_texts`. */
export function wantingReceivers(places: EventPlaces): string {
  return selecting.map(({ name, receiver, select }) => `${select} FROM (${receiver.wanting(places)}) AS ${name}`).join(' UNION ALL ');
}

/** SQL of the id of a delivery's receiver; NULL for one that this version does not know. */
const targetOfDelivery = `coalesce(${named.map(([, receiver]) => `d.${nameOf(receiver)}`).join(', ')})`;

/** SQL of the name of a delivery's receiver, and of its id. */
export const receiverOfDelivery = `CASE ${named.map(([name, receiver]) => `WHEN d.${nameOf(receiver)} IS NOT NULL THEN '${name}'`).join(' ')} END AS receiver,
  ${targetOfDelivery} AS target`;

/** SQL: whether this version knows the receiver of a delivery. Nodes of a later one, which may run at the same time, tell others too. */
export const hasKnownReceiver = `${targetOfDelivery} IS NOT NULL`;
