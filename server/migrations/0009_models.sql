-- The folder of Yandex Cloud whose models an agent calls.
ALTER TABLE agents ADD COLUMN folder_id text;

-- What a user has spent today (UTC) on the operator's own model keys. One row a user: a new day begins it anew.
CREATE TABLE token_usage (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  day date NOT NULL,
  tokens bigint NOT NULL
);
