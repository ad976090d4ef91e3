-- Work whose attempts are used up, for staff. The queue's own tables are in no backup: the list is here.
CREATE TABLE dead_letters (
  id uuid PRIMARY KEY,
  -- The queue, and the job that was given up.
  queue text NOT NULL,
  job_id uuid NOT NULL UNIQUE,
  group_id text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  died_at timestamptz NOT NULL
);
CREATE INDEX dead_letters_newest ON dead_letters (died_at DESC, id);
