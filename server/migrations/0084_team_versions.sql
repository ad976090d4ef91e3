-- The team of a project as it was: its canvas, its agents and its settings. No key and no token is in it: an agent names the connection that it uses.
CREATE TABLE team_versions (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- Counts the versions of a project.
  number integer NOT NULL,
  canvas_version integer NOT NULL,
  document jsonb NOT NULL,
  -- By the ids of the agents.
  agents jsonb NOT NULL,
  settings jsonb NOT NULL,
  -- Of document, agents and settings: the same team has one row.
  hash text NOT NULL,
  -- Null for a version that a run has made.
  name text,
  note text NOT NULL DEFAULT '',
  created_by uuid REFERENCES users ON DELETE SET NULL,
  at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, hash),
  UNIQUE (project_id, number)
);
CREATE INDEX team_versions_author ON team_versions (created_by) WHERE created_by IS NOT NULL;

-- A version never changes, but for its name and note.
CREATE FUNCTION refuse_change_of_team_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A team version never changes.';
END $$;
CREATE TRIGGER team_versions_fixed BEFORE UPDATE OF id, project_id, number, canvas_version, document, agents, settings, hash, at ON team_versions
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_team_version();

-- The newest version of each project, with a key of what it was read from: a start with the same key needs no other look at the team.
CREATE TABLE latest_teams (
  project_id uuid PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  team_version_id uuid NOT NULL REFERENCES team_versions ON DELETE CASCADE,
  key text NOT NULL,
  agent_ids uuid[] NOT NULL
);
CREATE INDEX latest_teams_version ON latest_teams (team_version_id);

-- The team of a run. With `from_version` it works with the agents and settings of that version, else with those of the project.
-- Two statements: with a default beside it, the new reference would be checked by reading the whole table under its lock.
ALTER TABLE executions ADD COLUMN team_version_id uuid REFERENCES team_versions ON DELETE SET NULL;
ALTER TABLE executions ADD COLUMN from_version boolean NOT NULL DEFAULT false;
CREATE INDEX executions_team_version ON executions (team_version_id) WHERE team_version_id IS NOT NULL;
