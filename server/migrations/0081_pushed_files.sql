-- What a run had in its files when it was pushed last, and the renames that its changes followed.
ALTER TABLE publications
  ADD COLUMN pushed jsonb,
  ADD COLUMN renamed jsonb NOT NULL DEFAULT '[]';
