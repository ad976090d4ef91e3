-- A step consists of turns: the model calls tools and gets their results, until it answers.
ALTER TABLE executions
  ADD COLUMN has_files boolean NOT NULL DEFAULT false,
  ADD COLUMN has_outside boolean NOT NULL DEFAULT false;
UPDATE executions SET has_files = true
  WHERE status IN ('pending', 'running', 'paused') AND EXISTS (SELECT 1 FROM execution_files WHERE execution_id = executions.id);

-- `turns_from`: earlier turns belong to an answer that a person has sent back. `tool_seq` counts the writes of turns and calls.
ALTER TABLE execution_steps
  ADD COLUMN turns integer NOT NULL DEFAULT 0,
  ADD COLUMN turns_from integer NOT NULL DEFAULT 0,
  ADD COLUMN tool_seq integer NOT NULL DEFAULT 0,
  ADD COLUMN tool_use jsonb;

CREATE TABLE model_turns (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  step_id uuid NOT NULL,
  turn integer NOT NULL,
  text text NOT NULL,
  usage jsonb,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (execution_id, step_id, turn)
);

CREATE TABLE tool_calls (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  step_id uuid NOT NULL,
  turn integer NOT NULL,
  call_id text NOT NULL,
  -- The place of the call in its turn.
  position integer NOT NULL,
  tool text NOT NULL,
  source text,
  effect text NOT NULL,
  -- As the model wrote it, or as a person has edited it.
  args text NOT NULL,
  -- A person has approved this call.
  approved boolean NOT NULL DEFAULT false,
  state text NOT NULL CHECK (state IN ('pending', 'running', 'waiting', 'done', 'failed', 'refused', 'unknown')),
  result text,
  ms integer,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (execution_id, step_id, turn, call_id)
);
