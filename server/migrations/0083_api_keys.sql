-- Keys by which programs call the API for an account. The key itself is not stored.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The only project that the key reaches; all of them when null.
  project_id uuid REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  prefix text NOT NULL,
  hash text NOT NULL UNIQUE,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'run', 'answer', 'edit'] AND cardinality(scopes) > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_from text,
  revoked_at timestamptz
);
CREATE INDEX api_keys_of_user ON api_keys (user_id, created_at DESC);
CREATE INDEX api_keys_of_project ON api_keys (project_id) WHERE project_id IS NOT NULL;
