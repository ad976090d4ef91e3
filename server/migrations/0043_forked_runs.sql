-- A run can begin as a fork of another, with the results of those steps whose input is the same.
ALTER TABLE executions
  -- Null: no fork, or the original was removed.
  ADD COLUMN parent_id uuid REFERENCES executions ON DELETE SET NULL,
  ADD COLUMN forked_at timestamptz;
CREATE INDEX executions_parent ON executions (parent_id) WHERE parent_id IS NOT NULL;

ALTER TABLE execution_steps
  -- Hashes of what the step was asked with; null for steps of earlier versions.
  ADD COLUMN input_hash text,
  -- The step that wrote the result: executionId, stepId; isEdited, when a person has edited it for this run.
  ADD COLUMN reused_from jsonb,
  -- The model that the step is tried with, in the place of its agent's.
  ADD COLUMN tried_model jsonb,
  DROP CONSTRAINT execution_steps_status_check,
  ADD CONSTRAINT execution_steps_status_check
    CHECK (status IN ('pending', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'skipped', 'reused'));
