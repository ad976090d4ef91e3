-- Model servers that a user enters once, and agents choose. Of a project, all its agents may choose it.
CREATE TABLE connections (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  project_id uuid REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  provider text NOT NULL,
  address text,
  folder_id text,
  -- The key, encrypted for this connection and the host that it is sent to.
  key_sealed text,
  key_last4 text,
  key_host text,
  -- Further headers by name, and their values as JSON, encrypted like the key.
  header_names jsonb NOT NULL DEFAULT '[]',
  headers_sealed text,
  -- Further fields of the body of each call.
  extra_body jsonb,
  default_model text,
  -- The list of models that the server gave, and when; why the last reading failed.
  models jsonb,
  models_at timestamptz,
  models_problem text,
  -- What the last test found, and when.
  tested jsonb,
  checked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX connections_user ON connections (user_id);
CREATE INDEX connections_project ON connections (project_id) WHERE project_id IS NOT NULL;

-- What a model at a host was found to refuse or to want, by calls of an account, which is named by a hash: a row may outlive it for thirty days.
CREATE TABLE model_traits (
  account text NOT NULL,
  host text NOT NULL,
  model text NOT NULL,
  refused jsonb NOT NULL DEFAULT '[]',
  wants jsonb NOT NULL DEFAULT '{}',
  tools boolean,
  context integer,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account, host, model)
);

ALTER TABLE agents
  ALTER COLUMN temperature DROP NOT NULL,
  ALTER COLUMN max_tokens DROP NOT NULL,
  ADD COLUMN effort text,
  ADD COLUMN connection_id uuid REFERENCES connections ON DELETE SET NULL,
  ADD COLUMN fallback jsonb,
  ADD COLUMN may_go_without_tools boolean NOT NULL DEFAULT false;
CREATE INDEX agents_connection ON agents (connection_id) WHERE connection_id IS NOT NULL;

-- What the result of a completed step lacks.
ALTER TABLE execution_steps ADD COLUMN marks jsonb;
-- A model's turn as its provider wants it back, encrypted.
ALTER TABLE model_turns ADD COLUMN opaque text;
