-- What a runner, a patch and a commit need of the files that a run begins with.
-- The file may be executed.
ALTER TABLE input_files ADD COLUMN executable boolean NOT NULL DEFAULT false;

-- Files of archives and of the repository that are not in the set: path, reason and source of each.
ALTER TABLE input_sets ADD COLUMN left_out jsonb;

-- Files of a set's repository that a user has removed from the set, or put another file in the place of.
CREATE TABLE replaced_git_files (
  set_id uuid NOT NULL REFERENCES input_sets ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  mime text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'pdf', 'binary')),
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  executable boolean NOT NULL,
  content bytea,
  text text,
  PRIMARY KEY (set_id, path)
);
