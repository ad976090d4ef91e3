-- Files that a user gives to runs. A set belongs to one project, and does not change once a run has used it.
CREATE TABLE input_sets (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- The repository that files come from: url, ref, sha.
  git jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  sealed_at timestamptz
);
CREATE INDEX input_sets_unsent ON input_sets (user_id, created_at) WHERE sealed_at IS NULL;
CREATE INDEX input_sets_project ON input_sets (project_id);

CREATE TABLE input_files (
  set_id uuid NOT NULL REFERENCES input_sets ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  mime text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'pdf', 'binary')),
  source text NOT NULL CHECK (source IN ('file', 'archive', 'git')),
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  -- The bytes of a file that is not text itself; null for a binary file of a repository, which is kept by its hash.
  content bytea,
  -- The text itself, or the text that was drawn out of a PDF.
  text text,
  PRIMARY KEY (set_id, path)
);

ALTER TABLE executions ADD COLUMN input_set_id uuid REFERENCES input_sets;
CREATE INDEX executions_input_set ON executions (input_set_id) WHERE input_set_id IS NOT NULL;

-- The files that a step was shown, by path and hash.
ALTER TABLE execution_steps ADD COLUMN read_files jsonb;

-- A set goes with the last run that used it. A run that starts with it at the same time keeps it.
CREATE FUNCTION remove_unused_input_set() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM input_sets WHERE id = OLD.input_set_id FOR UPDATE;
  DELETE FROM input_sets WHERE id = OLD.input_set_id
    AND NOT EXISTS (SELECT 1 FROM executions WHERE input_set_id = OLD.input_set_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER executions_input_set AFTER DELETE ON executions FOR EACH ROW WHEN (OLD.input_set_id IS NOT NULL)
  EXECUTE FUNCTION remove_unused_input_set();
