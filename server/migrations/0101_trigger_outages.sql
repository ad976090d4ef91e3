-- Runs of a fire that have failed because a model server was away, and since when it is.
ALTER TABLE fires ADD COLUMN tries integer NOT NULL DEFAULT 0, ADD COLUMN away_since timestamptz;
