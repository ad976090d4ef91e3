-- A step also removes files, moves them and sets their mode. A file that was moved and is not text has no content here: it has the bytes that the
-- file `moved_from` had at the start of the run.
ALTER TABLE execution_files
  ALTER COLUMN content DROP NOT NULL,
  ADD COLUMN removed boolean NOT NULL DEFAULT false,
  ADD COLUMN moved_from text,
  ADD COLUMN executable boolean;
-- What an agent may do in a step: its access to files, tests, and the most turns and calls.
ALTER TABLE agents
  ADD COLUMN work jsonb NOT NULL DEFAULT '{"fileAccess":"write","runsTests":false,"maxTurns":null,"maxCalls":null}';
