-- What the forge has said about who may write, by account, so that it is asked once a day; and its refusals for too many calls in a row.
ALTER TABLE forge_readings ADD COLUMN rights jsonb NOT NULL DEFAULT '{}', ADD COLUMN limits integer NOT NULL DEFAULT 0;
-- What the run of an issue is named after, and why the comment on it could not be written.
ALTER TABLE forge_threads ADD COLUMN subject text, ADD COLUMN problem text;
