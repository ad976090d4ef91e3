-- Each saved change of a canvas, with the patches that made it and those that revert it. The version is the one after the change.
CREATE TABLE canvas_changes (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  version integer NOT NULL,
  -- Null for a kept version of which only its snapshot is left.
  patches jsonb,
  inverse jsonb,
  author uuid REFERENCES users ON DELETE SET NULL,
  client_id text,
  at timestamptz NOT NULL DEFAULT now(),
  -- How many cards and links the change added, removed, changed and moved.
  counts jsonb NOT NULL,
  -- The titles of the first cards that it touched.
  titles text[] NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (project_id, version)
);
CREATE INDEX canvas_changes_age ON canvas_changes (at) WHERE patches IS NOT NULL;

-- Whole canvases, from which the versions near them are read.
CREATE TABLE canvas_snapshots (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  version integer NOT NULL,
  document jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  bytes bigint NOT NULL,
  PRIMARY KEY (project_id, version)
);

-- Named versions: set by hand, and before each run.
CREATE TABLE canvas_marks (
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  version integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('hand', 'run')),
  name text NOT NULL,
  note text NOT NULL DEFAULT '',
  execution_id uuid REFERENCES executions ON DELETE SET NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, version)
);
CREATE INDEX canvas_marks_execution ON canvas_marks (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX canvas_changes_author ON canvas_changes (author) WHERE author IS NOT NULL;

-- The bytes of a project's changes and snapshots, and the newest version that was removed for space.
ALTER TABLE projects ADD COLUMN versions_bytes bigint NOT NULL DEFAULT 0, ADD COLUMN versions_trimmed integer NOT NULL DEFAULT 0;
