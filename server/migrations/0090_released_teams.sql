-- Frozen teams that programs call by a name.
CREATE TABLE released_teams (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- The account whose runs, keys and limits the calls use.
  run_as uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  slug text NOT NULL,
  title text NOT NULL,
  -- The task of a run, in which {name} stands for a field of the input.
  task text NOT NULL,
  input jsonb NOT NULL,
  -- Limits of each run; null for none of its own.
  budget jsonb,
  at_once integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (run_as, slug)
);
CREATE INDEX released_teams_of_project ON released_teams (project_id);

-- What a team runs: the row with the highest number is live. Releasing another version, or an earlier one again, is one more row.
CREATE TABLE team_releases (
  team_id uuid NOT NULL REFERENCES released_teams ON DELETE CASCADE,
  number integer NOT NULL,
  team_version_id uuid NOT NULL REFERENCES team_versions ON DELETE CASCADE,
  -- Steps and links, as a pipeline is created from them.
  plan jsonb NOT NULL,
  released_by text NOT NULL,
  released_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, number)
);
CREATE INDEX team_releases_version ON team_releases (team_version_id);

-- A release never changes.
CREATE FUNCTION refuse_change_of_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A release never changes.';
END $$;
CREATE TRIGGER team_releases_fixed BEFORE UPDATE ON team_releases FOR EACH ROW EXECUTE FUNCTION refuse_change_of_release();

-- The runs that calls of a team have started.
CREATE TABLE team_runs (
  execution_id uuid PRIMARY KEY REFERENCES executions ON DELETE CASCADE,
  team_id uuid NOT NULL REFERENCES released_teams ON DELETE CASCADE,
  release integer NOT NULL,
  -- The name of the key, or of the account.
  called_by text NOT NULL,
  called_at timestamptz NOT NULL
);
CREATE INDEX team_runs_of_team ON team_runs (team_id, called_at DESC);
