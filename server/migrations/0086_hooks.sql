-- Receivers of other programs: each event of the project that is ticked is sent to the address, signed with the secret.
CREATE TABLE hooks_out (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  url text NOT NULL,
  secret_sealed text NOT NULL,
  events text[] NOT NULL CHECK (events <@ ARRAY['run.ended', 'question.opened', 'budget.reached', 'published'] AND cardinality(events) > 0),
  -- Whether the texts of tasks, questions and failures are sent too.
  with_texts boolean NOT NULL,
  created_at timestamptz NOT NULL,
  -- The first failure since the last success.
  failing_since timestamptz,
  off_since timestamptz,
  off_because text CHECK (off_because IN ('owner', 'dead')),
  -- When the owner is to be told that the receiver is dead; null once told.
  email_due_at timestamptz
);
CREATE INDEX hooks_out_of_project ON hooks_out (project_id, created_at);
CREATE INDEX hooks_out_emails ON hooks_out (email_due_at) WHERE email_due_at IS NOT NULL;

-- Events on their way. Each is written by the statement that stores what it tells.
CREATE TABLE hook_deliveries (
  id uuid PRIMARY KEY,
  hook_id uuid NOT NULL REFERENCES hooks_out ON DELETE CASCADE,
  -- The same in all tries.
  event_id uuid NOT NULL,
  user_id uuid NOT NULL,
  project_id uuid NOT NULL,
  event text NOT NULL,
  about jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- The tries that have ended.
  attempt integer NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'stopped')),
  next_at timestamptz,
  -- The job of the try that is due.
  job_id uuid,
  tried_at timestamptz,
  problem text,
  answer_status integer,
  UNIQUE (hook_id, event_id)
);
CREATE INDEX hook_deliveries_of_hook ON hook_deliveries (hook_id, created_at DESC);
CREATE INDEX hook_deliveries_pending ON hook_deliveries (next_at) WHERE status = 'pending';
CREATE INDEX hook_deliveries_jobs ON hook_deliveries (job_id) WHERE job_id IS NOT NULL;
