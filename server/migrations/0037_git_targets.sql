-- Where the runs of a project are published: one repository.
CREATE TABLE git_targets (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  url text NOT NULL,
  base_branch text NOT NULL,
  prefix text NOT NULL,
  forge text NOT NULL CHECK (forge IN ('github', 'gitlab', 'gitea', 'none')),
  -- Encrypted for this project and host.
  token_sealed text,
  token_last4 text,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- The branch that a run was pushed to, with the run's last commit on it.
CREATE TABLE publications (
  execution_id uuid PRIMARY KEY REFERENCES executions ON DELETE CASCADE,
  url text NOT NULL,
  branch text NOT NULL,
  sha text NOT NULL,
  base_sha text NOT NULL,
  request_url text,
  request_number integer,
  -- Why there is no pull request, and what the server said.
  problem text,
  problem_text text,
  published_at timestamptz NOT NULL
);
