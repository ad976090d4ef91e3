-- What one agent was asked outside of a run, and what it answered. The agent may be deleted later: this stays.
CREATE TABLE agent_commands (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id uuid REFERENCES projects (id) ON DELETE CASCADE,
  agent_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('execute', 'openai')),
  request text NOT NULL,
  initial_task text,
  task text,
  parameters jsonb NOT NULL DEFAULT '{}',
  data jsonb,
  -- The conversation of a completion.
  messages jsonb,
  -- When its sender says that it was sent.
  sent_at timestamptz,
  language text NOT NULL CHECK (language IN ('ru', 'en')),
  -- The step of a run that it waits for instead of asking a model of its own. The run may be removed later: this stays.
  execution_id uuid,
  step_id uuid,
  status text NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  -- Which node is at work on it. One that names no row of `nodes` is taken up by another.
  node_id uuid,
  -- Raised by every take-up and by a cancellation. Whoever holds an older number has lost the command.
  leg integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  result text,
  -- Whether the answer came to its end or to the limit of tokens.
  finish text CHECK (finish IN ('stop', 'length')),
  error jsonb,
  provider text,
  model text,
  simulated boolean NOT NULL DEFAULT false,
  usage jsonb,
  execution_time_ms bigint,
  started_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX agent_commands_history ON agent_commands (user_id, agent_id, created_at DESC, id DESC);
CREATE INDEX agent_commands_at_work ON agent_commands (agent_id, node_id) WHERE status IN ('pending', 'running');
CREATE INDEX agent_commands_project ON agent_commands (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX agent_commands_execution ON agent_commands (execution_id) WHERE execution_id IS NOT NULL;

CREATE TABLE agent_thoughts (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  agent_id uuid NOT NULL,
  project_id uuid REFERENCES projects (id) ON DELETE CASCADE,
  execution_id uuid REFERENCES executions (id) ON DELETE CASCADE,
  step_id uuid,
  content text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX agent_thoughts_user ON agent_thoughts (user_id, created_at DESC, id DESC);
CREATE INDEX agent_thoughts_agent ON agent_thoughts (user_id, agent_id, created_at DESC, id DESC);
CREATE INDEX agent_thoughts_project ON agent_thoughts (project_id, created_at DESC, id DESC) WHERE project_id IS NOT NULL;
CREATE INDEX agent_thoughts_execution ON agent_thoughts (execution_id) WHERE execution_id IS NOT NULL;
