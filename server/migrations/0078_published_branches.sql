-- Who the commits of a project are by, in place of the person who publishes, and whether they are signed off.
ALTER TABLE git_targets
  ADD COLUMN author_name text,
  ADD COLUMN author_email text,
  ADD COLUMN signs_off boolean NOT NULL DEFAULT false;
-- The branch that a pushed branch is for, and the files that the run had then.
ALTER TABLE publications
  ADD COLUMN base_branch text,
  ADD COLUMN files_sha text;
-- The published run whose branch the files of a set come from.
ALTER TABLE input_sets ADD COLUMN follows jsonb;
