-- The command that executes a project's tests on the operator's runner.
ALTER TABLE projects ADD COLUMN test_command text;

-- What a tester's step has executed: command, exit code, time.
ALTER TABLE execution_steps ADD COLUMN test_run jsonb;

-- The log of it. While it is under way, `answer` is the report that the tester has written; no model is asked again after a crash.
CREATE TABLE test_runs (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  step_id uuid NOT NULL,
  answer jsonb,
  log text NOT NULL DEFAULT '',
  PRIMARY KEY (execution_id, step_id)
);
