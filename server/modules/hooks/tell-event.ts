import { v7 } from 'uuid';
import type { HookEvent } from '../../../contract/hook.ts';
import type { SqlFragment } from '../../platform/database/statement.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { receiverColumns, wantingReceivers } from './receivers.ts';
import type { EventAbout } from './tables.ts';

/** What an event is about: ids and words of the contract. `texts` are words of users, for receivers that may have them. */

export type ToldEvent = {
  /** The same id twice is told once. A new one unless given. */
  id?: string;
  event: HookEvent;
  userId: OwnerId;
  projectId: string;
  about: EventAbout;
  at: Date;
};

/** The most of one text that is sent (characters). */
const maxText = 2_000;

/**
 * Stores an event for the receivers of its project, in the statement that stores what it tells: a crash loses both or neither. It waits for no lock: a
 * receiver that is being removed gets nothing. It returns a row for each delivery, so that the caller wakes the relay only where there is one.
 */
export function insertEventSql({ id = v7(), event, userId, projectId, about: { texts = {}, ...about }, at }: ToldEvent): SqlFragment {
  const shortened = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.replaceAll('\0', '').slice(0, maxText).toWellFormed()]),
  );
  return (source, place) => {
    const [user, project, told] = [`${place(userId)}::uuid`, `${place(projectId)}::uuid`, `${place(event)}::text`];
    return `INSERT INTO hook_deliveries (id, ${receiverColumns}, event_id, user_id, project_id, event, about, created_at, next_at)
    SELECT gen_random_uuid(), ${receiverColumns}, ${place(id)}::uuid, ${user}, ${project}, ${told},
      ${place(JSON.stringify(about))}::jsonb
        || CASE WHEN receiver.with_texts THEN jsonb_build_object('texts', ${place(JSON.stringify(shortened))}::jsonb) ELSE '{}' END,
      ${place(at)}::timestamptz, now()
    FROM ${source}, LATERAL (${wantingReceivers({ event: told, user, project })}) AS receiver
    ON CONFLICT DO NOTHING RETURNING hook_deliveries.id`;
  };
}
