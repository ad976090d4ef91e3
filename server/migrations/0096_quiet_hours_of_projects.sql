-- Quiet hours are those of a project, and hold for its kinds of events but the urgent ones. No release has had them for a whole chat.
ALTER TABLE telegram_projects
  ADD COLUMN quiet_from smallint,
  ADD COLUMN quiet_to smallint,
  ADD COLUMN time_zone text,
  ADD COLUMN urgent text[] NOT NULL DEFAULT '{}';
UPDATE telegram_projects AS wish SET quiet_from = chat.quiet_from, quiet_to = chat.quiet_to, time_zone = chat.time_zone
  FROM telegram_chats AS chat WHERE chat.user_id = wish.user_id;
ALTER TABLE telegram_chats DROP COLUMN quiet_from, DROP COLUMN quiet_to, DROP COLUMN time_zone;

-- Why the updates of the bot cannot be read, and since when.
ALTER TABLE telegram_updates ADD COLUMN problem text, ADD COLUMN problem_since timestamptz;
