CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  name text NOT NULL,
  password_hash text NOT NULL,
  is_staff boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- One sign-in on one browser: the family of refresh tokens that follow one another.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE refresh_tokens (
  hash text PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  successor_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  first_used_at timestamptz
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);

CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- The stored answer of a write that its client may send again.
CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key text NOT NULL,
  request_hash text NOT NULL,
  -- Which server process is at it, and until when others leave it alone.
  claimed_by uuid NOT NULL,
  claimed_until timestamptz NOT NULL,
  status integer,
  answer jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  status text NOT NULL CHECK (status IN ('draft', 'active', 'onHold', 'completed', 'archived')),
  is_demo boolean NOT NULL DEFAULT false,
  canvas_version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX projects_user ON projects (user_id, created_at, id);

CREATE TABLE canvas_nodes (
  project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  id text NOT NULL,
  value jsonb NOT NULL,
  PRIMARY KEY (project_id, id)
);

CREATE TABLE canvas_connections (
  project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  id text NOT NULL,
  value jsonb NOT NULL,
  PRIMARY KEY (project_id, id)
);

CREATE TABLE agents (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  role text NOT NULL,
  status smallint NOT NULL DEFAULT 1 CHECK (status IN (0, 1, 2)),
  specialization text NOT NULL DEFAULT '',
  skills jsonb NOT NULL DEFAULT '[]',
  priority smallint NOT NULL DEFAULT 5 CHECK (priority BETWEEN 0 AND 10),
  icon_type text NOT NULL DEFAULT '',
  system_prompt text NOT NULL DEFAULT '',
  plan text NOT NULL DEFAULT '',
  provider_type text NOT NULL,
  model text NOT NULL,
  temperature double precision NOT NULL,
  max_tokens integer NOT NULL,
  base_url text,
  -- The sealed key, what its owner may see of it, and the only host it may be sent to.
  api_key_sealed text,
  api_key_last4 text,
  api_key_host text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX agents_user ON agents (user_id, created_at, id);
