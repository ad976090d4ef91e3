CREATE TABLE pipelines (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  configuration text NOT NULL DEFAULT '{}',
  status text NOT NULL CHECK (status IN ('draft', 'ready', 'running', 'archived')),
  max_execution_time_seconds integer,
  is_demo boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX pipelines_user ON pipelines (user_id, created_at, id);
CREATE INDEX pipelines_project ON pipelines (project_id);

-- An agent may be deleted later: what it was asked and what it answered stays.
CREATE TABLE pipeline_steps (
  id uuid PRIMARY KEY,
  pipeline_id uuid NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  order_index integer NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  agent_id uuid NOT NULL,
  node_id text,
  timeout_seconds integer NOT NULL,
  UNIQUE (pipeline_id, order_index)
);

CREATE TABLE executions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  pipeline_id uuid NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('pending', 'running', 'paused', 'completed', 'failed', 'cancelled')),
  pause_requested boolean NOT NULL DEFAULT false,
  -- The stretch of work under way, from a start or a resume to the next stop. Whoever holds an older number has lost the execution.
  leg integer NOT NULL DEFAULT 1,
  -- True when the leg ends after one step.
  single_step boolean NOT NULL DEFAULT false,
  initial_task text NOT NULL,
  input jsonb NOT NULL DEFAULT '{}',
  source text NOT NULL DEFAULT '',
  dialog_node_id text,
  language text NOT NULL CHECK (language IN ('ru', 'en')),
  result text,
  error jsonb,
  steps_total integer NOT NULL,
  steps_done integer NOT NULL DEFAULT 0,
  priority integer NOT NULL DEFAULT 5,
  timeout_seconds integer NOT NULL,
  pause_between_steps_ms integer NOT NULL DEFAULT 0,
  -- Time at work: pauses by people are not counted.
  active_ms bigint NOT NULL DEFAULT 0,
  last_seq integer NOT NULL DEFAULT 0,
  started_at timestamptz,
  completed_at timestamptz,
  failed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX executions_user ON executions (user_id, created_at DESC, id DESC);
CREATE INDEX executions_project ON executions (project_id);
CREATE INDEX executions_pipeline ON executions (pipeline_id);
CREATE INDEX executions_at_work ON executions (updated_at) WHERE status IN ('pending', 'running');

CREATE TABLE execution_steps (
  execution_id uuid NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  step_id uuid NOT NULL,
  order_index integer NOT NULL,
  name text NOT NULL,
  agent_id uuid NOT NULL,
  node_id text,
  -- The agent as it was when the execution started.
  agent_title text NOT NULL,
  role text NOT NULL,
  system_prompt text NOT NULL,
  timeout_seconds integer NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  started_at timestamptz,
  completed_at timestamptz,
  duration_ms bigint,
  provider text,
  model text,
  simulated boolean NOT NULL DEFAULT false,
  usage jsonb,
  result text,
  error jsonb,
  PRIMARY KEY (execution_id, step_id),
  UNIQUE (execution_id, order_index)
);

CREATE TABLE execution_events (
  execution_id uuid NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  seq integer NOT NULL,
  event jsonb NOT NULL,
  PRIMARY KEY (execution_id, seq)
);

-- Text that people handed to a run under way, for every later step.
CREATE TABLE execution_contexts (
  execution_id uuid NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  position integer NOT NULL,
  type text NOT NULL,
  content text NOT NULL,
  source text NOT NULL,
  dialog_node_id text,
  dialog_node_title text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (execution_id, position)
);

CREATE TABLE results (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  pipeline_execution_id uuid NOT NULL UNIQUE REFERENCES executions (id) ON DELETE CASCADE,
  user_request text NOT NULL,
  final_result text NOT NULL,
  summary text NOT NULL DEFAULT '',
  type smallint NOT NULL CHECK (type IN (1, 2, 4)),
  status smallint NOT NULL CHECK (status IN (1, 2, 3, 4)),
  metadata text NOT NULL DEFAULT '{}',
  tags text NOT NULL DEFAULT '',
  agents_count integer NOT NULL DEFAULT 1,
  steps_count integer NOT NULL DEFAULT 1,
  -- A person took it off the list; the execution's end does not bring it back.
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX results_project ON results (project_id, created_at DESC, id DESC);
