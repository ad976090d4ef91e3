-- Chats of people with the operator's bot: one of an account.
CREATE TABLE telegram_chats (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  chat_id bigint NOT NULL UNIQUE,
  name text NOT NULL,
  bound_at timestamptz NOT NULL,
  -- Since when the person has blocked the bot.
  blocked_at timestamptz,
  -- Nothing is sent between these hours of the time zone.
  quiet_from smallint,
  quiet_to smallint,
  time_zone text
);
-- Of which events of a project an account is told.
CREATE TABLE telegram_projects (
  user_id uuid NOT NULL REFERENCES telegram_chats ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  events text[] NOT NULL,
  PRIMARY KEY (user_id, project_id)
);
CREATE INDEX telegram_projects_of_project ON telegram_projects (project_id);
-- Links that bind a chat to an account, once. The code itself is not stored.
CREATE TABLE telegram_links (
  hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX telegram_links_of_user ON telegram_links (user_id);
CREATE INDEX telegram_links_of_project ON telegram_links (project_id);
-- One row: the next update to read, and the node that reads.
CREATE TABLE telegram_updates (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  next_update bigint NOT NULL DEFAULT 0,
  holder uuid,
  held_until timestamptz NOT NULL DEFAULT 'epoch'
);
INSERT INTO telegram_updates DEFAULT VALUES;

-- An event goes to a hook or to a chat.
ALTER TABLE hook_deliveries
  ALTER COLUMN hook_id DROP NOT NULL,
  ADD COLUMN chat_of uuid REFERENCES telegram_chats ON DELETE CASCADE,
  ADD CONSTRAINT hook_deliveries_receiver CHECK (num_nonnulls(hook_id, chat_of) = 1),
  ADD CONSTRAINT hook_deliveries_of_chat UNIQUE (chat_of, event_id);
