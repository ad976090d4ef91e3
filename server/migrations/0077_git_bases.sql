-- Repositories that runs begin with, as Git has them. An account has each blob once, and each tree once.
CREATE TABLE git_blobs (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  oid text COLLATE "C" NOT NULL,
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'pdf', 'document', 'image', 'binary')),
  mime text NOT NULL,
  -- As in input_files: the bytes of what is not plain UTF-8, and the text.
  content bytea,
  text text,
  encoding text,
  replaced integer NOT NULL DEFAULT 0,
  -- Why it is no file of a run: a pointer of Git LFS, or too large. It has no content then.
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, oid)
);

CREATE TABLE git_bases (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The name of the tree's object, and the paths that were read of it, one a line; all of it without any.
  tree text NOT NULL,
  paths text NOT NULL,
  files integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, tree, paths)
);

-- The files of a base. What is listed of each stands here too, so that a list reads no blob. `reason`: it is no file of a run, and is listed as what
-- it is: a link, a submodule, a pointer of Git LFS.
CREATE TABLE git_base_files (
  base_id uuid NOT NULL REFERENCES git_bases ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  user_id uuid NOT NULL,
  oid text COLLATE "C",
  executable boolean NOT NULL,
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  kind text NOT NULL,
  mime text NOT NULL,
  encoding text,
  replaced integer NOT NULL,
  reason text,
  PRIMARY KEY (base_id, path),
  -- At the end of a transaction: an account goes with its blobs and bases in any order.
  FOREIGN KEY (user_id, oid) REFERENCES git_blobs (user_id, oid) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX git_base_files_blob ON git_base_files (user_id, oid);

ALTER TABLE input_sets ADD COLUMN base_id uuid REFERENCES git_bases;
CREATE INDEX input_sets_base ON input_sets (base_id) WHERE base_id IS NOT NULL;

-- The files of sets: their own, and those of their base that their user has not replaced or removed.
CREATE VIEW files_of_sets AS
  SELECT set_id, path, mime, kind, source, bytes, sha256, executable, content, text, encoding, replaced FROM input_files
  UNION ALL
  SELECT sets.id, files.path, files.mime, files.kind, 'git', files.bytes, files.sha256, files.executable, blobs.content, blobs.text,
      files.encoding, files.replaced
    FROM input_sets AS sets JOIN git_base_files AS files ON files.base_id = sets.base_id
    LEFT JOIN git_blobs AS blobs ON blobs.user_id = files.user_id AND blobs.oid = files.oid
    WHERE files.reason IS NULL
      AND NOT EXISTS (SELECT 1 FROM replaced_git_files AS gone WHERE gone.set_id = sets.id AND gone.path = files.path);

-- The folders and files of its repository that a project reads; all of it without any.
ALTER TABLE git_targets ADD COLUMN paths jsonb NOT NULL DEFAULT '[]';
