-- Events of a repository on GitHub, GitLab or Gitea start runs too.
ALTER TABLE triggers DROP CONSTRAINT triggers_kind_check;
ALTER TABLE triggers ADD CONSTRAINT triggers_kind_check CHECK (kind IN ('webhook', 'schedule', 'forge'));

-- How far a trigger has read its repository.
CREATE TABLE forge_readings (
  trigger_id uuid PRIMARY KEY REFERENCES triggers ON DELETE CASCADE,
  -- The repository that the rest is about.
  url text,
  -- The account of the token.
  login text,
  -- By the clock of the forge: what has changed since is read next.
  since text,
  -- Whether the issues that had the label before were read.
  has_labelled boolean NOT NULL DEFAULT false,
  -- Issues and pull requests that could not be read, with the number of tries.
  unread jsonb NOT NULL DEFAULT '[]',
  -- The forge takes no calls before.
  not_before timestamptz,
  begun_at timestamptz,
  read_at timestamptz,
  -- The job that reads now, or has read last.
  job_id uuid,
  -- Whether a hook came during the reading.
  is_wanted boolean NOT NULL DEFAULT false,
  problem text,
  problem_text text
);

-- Issues of which runs were started, each with its pull request.
CREATE TABLE forge_threads (
  id uuid PRIMARY KEY,
  trigger_id uuid NOT NULL REFERENCES triggers ON DELETE CASCADE,
  url text NOT NULL,
  number integer NOT NULL,
  -- As they were when a person with rights asked for a run.
  title text NOT NULL,
  issue_text text NOT NULL,
  author text NOT NULL,
  page text NOT NULL,
  state text NOT NULL,
  -- Why nothing was started or published, or what the run answers.
  detail text,
  -- What the last command has done.
  note text,
  -- The question that the comment shows.
  question_id uuid,
  execution_id uuid REFERENCES executions ON DELETE SET NULL,
  -- The last run whose result was handled, and how often that was tried.
  done_execution_id uuid,
  tries integer NOT NULL DEFAULT 0,
  branch text,
  base text,
  head_sha text,
  request_number integer,
  request_url text,
  -- Repairs of CI since a person has said something, and the commit that was looked at last.
  rounds integer NOT NULL DEFAULT 0,
  checked_sha text,
  checked_at timestamptz,
  pushed_at timestamptz,
  -- Whether something was said during the run.
  has_more boolean NOT NULL DEFAULT false,
  -- What was said and started nothing, because there was no budget or no place: the next run is given it.
  owed jsonb NOT NULL DEFAULT '[]',
  -- The comment that is kept up to date, and the hash of its text.
  comment_id text,
  comment_sha text,
  -- The `updated_at` that the comment shows.
  told_at timestamptz,
  updated_at timestamptz NOT NULL,
  UNIQUE (trigger_id, url, number)
);
CREATE INDEX forge_threads_of_run ON forge_threads (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX forge_threads_newest ON forge_threads (trigger_id, updated_at DESC);
CREATE INDEX forge_threads_open ON forge_threads (execution_id) WHERE execution_id IS NOT NULL AND done_execution_id IS DISTINCT FROM execution_id;
CREATE INDEX forge_threads_untold ON forge_threads (trigger_id) WHERE told_at IS DISTINCT FROM updated_at;

-- What was read and handled: comments, reviews and labels, each once.
CREATE TABLE forge_seen (
  trigger_id uuid NOT NULL REFERENCES triggers ON DELETE CASCADE,
  what text NOT NULL,
  PRIMARY KEY (trigger_id, what)
);
