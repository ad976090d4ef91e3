-- A pipeline that was removed is hidden for good; one that is archived can be read and taken out again.
ALTER TABLE pipelines ADD COLUMN removed_at timestamptz;
UPDATE pipelines SET removed_at = updated_at WHERE status = 'archived';

-- Steps change places in one statement.
ALTER TABLE pipeline_steps DROP CONSTRAINT pipeline_steps_pipeline_id_order_index_key;
ALTER TABLE pipeline_steps ADD CONSTRAINT pipeline_steps_order UNIQUE (pipeline_id, order_index) DEFERRABLE INITIALLY IMMEDIATE;

-- Made without being started: nobody works on it until a person starts it.
ALTER TABLE executions ADD COLUMN held boolean NOT NULL DEFAULT false;
CREATE INDEX executions_under_way ON executions (pipeline_id) WHERE status IN ('pending', 'running', 'paused') AND NOT held;

-- The files that a step's answer handed over, each version of each. A path is a name, never a place on a disk.
CREATE TABLE execution_files (
  execution_id uuid NOT NULL,
  path text NOT NULL,
  step_id uuid NOT NULL,
  -- The step's place: the version of the latest step is the one that counts.
  order_index integer NOT NULL,
  content text NOT NULL,
  -- Bytes.
  size integer NOT NULL,
  language text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (execution_id, path, step_id),
  FOREIGN KEY (execution_id, step_id) REFERENCES execution_steps (execution_id, step_id) ON DELETE CASCADE
);

-- What the answer named as a file and was not kept, with the reason.
ALTER TABLE execution_steps ADD COLUMN refused_files jsonb;

-- What a search looks through, in small letters: to lower every text anew takes six times as long.
ALTER TABLE results ADD COLUMN search_text text NOT NULL
  GENERATED ALWAYS AS (lower(user_request || E'\n' || summary || E'\n' || tags || E'\n' || final_result)) STORED;
