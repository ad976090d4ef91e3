-- A pipeline that was removed is hidden for good; one that is archived can be read and taken out again.
ALTER TABLE pipelines ADD COLUMN removed_at timestamptz;
UPDATE pipelines SET removed_at = updated_at WHERE status = 'archived';

-- Steps change places in one statement.
ALTER TABLE pipeline_steps DROP CONSTRAINT pipeline_steps_pipeline_id_order_index_key;
ALTER TABLE pipeline_steps ADD CONSTRAINT pipeline_steps_order UNIQUE (pipeline_id, order_index) DEFERRABLE INITIALLY IMMEDIATE;

-- Made without being started: nobody works on it until a person starts it.
ALTER TABLE executions ADD COLUMN held boolean NOT NULL DEFAULT false;
CREATE INDEX executions_under_way ON executions (pipeline_id) WHERE status IN ('pending', 'running', 'paused') AND NOT held;
