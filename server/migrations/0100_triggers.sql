-- What starts runs of released teams by itself.
CREATE TABLE triggers (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('webhook', 'schedule')),
  name text NOT NULL,
  -- Null after the withdrawal of the team: the trigger then pauses and says so.
  team_id uuid REFERENCES released_teams ON DELETE SET NULL,
  -- The account whose connections, limits and storage its runs use.
  run_as uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  settings jsonb NOT NULL,
  secret_sealed text,
  -- The secret before, which is valid for a while after a change.
  earlier_secret_sealed text,
  earlier_until timestamptz,
  -- The caller of its runs, whose budget limits them. Its text is known to no one.
  key_id uuid NOT NULL UNIQUE REFERENCES api_keys ON DELETE CASCADE,
  overlap text NOT NULL CHECK (overlap IN ('skip', 'queue', 'cancel_older')),
  missed text NOT NULL CHECK (missed IN ('once', 'skip')),
  grace_seconds integer NOT NULL,
  -- The next instant of a schedule, and the job that waits for it.
  next_at timestamptz,
  job_id uuid,
  paused_at timestamptz,
  paused_reason text CHECK (paused_reason IN ('owner', 'failures', 'team')),
  -- Failed runs in a row.
  failures integer NOT NULL DEFAULT 0,
  -- When the owner is to be told of a pause; null once told.
  email_due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX triggers_of_project ON triggers (project_id, created_at);
CREATE INDEX triggers_of_team ON triggers (team_id) WHERE team_id IS NOT NULL;
CREATE INDEX triggers_run_as ON triggers (run_as);
CREATE INDEX triggers_due ON triggers (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX triggers_jobs ON triggers (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX triggers_emails ON triggers (email_due_at) WHERE email_due_at IS NOT NULL;

-- Each time that something came in. The key makes a second run for the same event impossible.
CREATE TABLE fires (
  trigger_id uuid NOT NULL REFERENCES triggers ON DELETE CASCADE,
  key text NOT NULL,
  due_at timestamptz NOT NULL,
  at timestamptz NOT NULL,
  source jsonb NOT NULL,
  -- What came, of the newest fires only.
  body text,
  outcome text NOT NULL CHECK (outcome IN ('started', 'waiting', 'filtered', 'skipped', 'late', 'refused', 'failed')),
  reason text,
  detail text,
  execution_id uuid REFERENCES executions ON DELETE SET NULL,
  -- A waiting fire is not started before.
  not_before timestamptz,
  -- Whether the end of its run was counted.
  is_settled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (trigger_id, key)
);
CREATE INDEX fires_newest ON fires (trigger_id, at DESC);
CREATE INDEX fires_bodies ON fires (trigger_id, at DESC) WHERE body IS NOT NULL;
CREATE INDEX fires_at ON fires (at);
CREATE INDEX fires_of_run ON fires (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX fires_waiting ON fires (trigger_id, at) WHERE outcome = 'waiting';
CREATE INDEX fires_under_way ON fires (trigger_id) WHERE outcome = 'started' AND NOT is_settled;

-- A key of a trigger cannot be sent by anyone, and stands in no list of keys.
ALTER TABLE api_keys ADD COLUMN of_trigger boolean NOT NULL DEFAULT false;
