-- The most turns and calls of tools of one step; null for the usual ones.
ALTER TABLE projects
  ADD COLUMN max_turns integer,
  ADD COLUMN max_calls integer;
-- What a step got beyond its turns and calls, when its model was told how many are left, and whether a person has ended it there.
ALTER TABLE execution_steps ADD COLUMN room jsonb;
