import { v7 } from 'uuid';
import type { HookEvent } from '../../../contract/hook.ts';
import type { SqlFragment } from '../../platform/database/statement.ts';

/** What an event is about: ids and words of the contract. `texts` are words of users, for receivers that may have them. */
export type EventAbout = Record<string, unknown> & { texts?: Record<string, string> };

export type ToldEvent = {
  /** The same id twice is told once. A new one unless given. */
  id?: string;
  event: HookEvent;
  userId: string;
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
export function tellingEvent({ id = v7(), event, userId, projectId, about: { texts = {}, ...about }, at }: ToldEvent): SqlFragment {
  const shortened = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.replaceAll('\0', '').slice(0, maxText).toWellFormed()]),
  );
  return (
    source,
    place,
  ) => `INSERT INTO hook_deliveries (id, hook_id, chat_of, device_id, event_id, user_id, project_id, event, about, created_at, next_at)
    SELECT gen_random_uuid(), receiver.hook_id, receiver.chat_of, receiver.device_id, ${place(id)}::uuid, ${place(userId)}::uuid, ${place(projectId)}::uuid, ${place(event)}::text,
      ${place(JSON.stringify(about))}::jsonb
        || CASE WHEN receiver.with_texts THEN jsonb_build_object('texts', ${place(JSON.stringify(shortened))}::jsonb) ELSE '{}' END,
      ${place(at)}::timestamptz, now()
    FROM ${source}, LATERAL (
      SELECT * FROM (SELECT id AS hook_id, NULL::uuid AS chat_of, NULL::uuid AS device_id, with_texts FROM hooks_out
        WHERE project_id = ${place(projectId)}::uuid AND off_since IS NULL AND ${place(event)}::text = ANY (events)
        FOR KEY SHARE SKIP LOCKED) AS hook
      UNION ALL
      SELECT * FROM (SELECT NULL::uuid, chat.user_id, NULL::uuid, false FROM telegram_projects AS wish JOIN telegram_chats AS chat ON chat.user_id = wish.user_id
        WHERE wish.project_id = ${place(projectId)}::uuid AND chat.user_id = ${place(userId)}::uuid AND chat.blocked_at IS NULL
        AND ${place(event)}::text = ANY (wish.events) FOR KEY SHARE OF chat SKIP LOCKED) AS chat
      UNION ALL
      SELECT * FROM (SELECT NULL::uuid, NULL::uuid, device.id, false FROM push_devices AS device JOIN sessions ON sessions.id = device.session_id
        WHERE device.user_id = ${place(userId)}::uuid AND sessions.ended_at IS NULL AND ${place(event)}::text = ANY (device.events)
        FOR KEY SHARE OF device SKIP LOCKED) AS device) AS receiver
    ON CONFLICT DO NOTHING RETURNING hook_deliveries.id`;
}
