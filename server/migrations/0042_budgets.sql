-- Limits of model calls, over runs, projects and users. A row of the scope `server` is the operator's, for every user on the server's keys.
CREATE TABLE budgets (
  id uuid PRIMARY KEY,
  scope text NOT NULL CHECK (scope IN ('run', 'project', 'user', 'server')),
  user_id uuid REFERENCES users ON DELETE CASCADE,
  project_id uuid REFERENCES projects ON DELETE CASCADE,
  execution_id uuid REFERENCES executions ON DELETE CASCADE,
  -- What the limits hold for: each run, each day or each month (UTC).
  span text NOT NULL CHECK (span IN ('run', 'day', 'month')),
  currency text,
  micros bigint CHECK (micros > 0),
  tokens bigint CHECK (tokens > 0),
  calls bigint CHECK (calls > 0),
  active_ms bigint CHECK (active_ms > 0),
  at_limit text NOT NULL CHECK (at_limit IN ('ask', 'stop', 'refuse')),
  warn_at integer NOT NULL DEFAULT 80,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT budgets_place UNIQUE NULLS NOT DISTINCT (scope, user_id, project_id, execution_id, span),
  CHECK ((currency IS NULL) = (micros IS NULL))
);
CREATE INDEX budgets_of_user ON budgets (user_id);

-- What is used of a budget in one run, day or month: settled calls, and the worst case of those under way. `extra_`: what a person has added.
CREATE TABLE budget_uses (
  budget_id uuid NOT NULL REFERENCES budgets ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  period text NOT NULL,
  execution_id uuid REFERENCES executions ON DELETE CASCADE,
  micros bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  calls bigint NOT NULL DEFAULT 0,
  active_ms bigint NOT NULL DEFAULT 0,
  extra_micros bigint NOT NULL DEFAULT 0,
  extra_tokens bigint NOT NULL DEFAULT 0,
  extra_calls bigint NOT NULL DEFAULT 0,
  extra_active_ms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (budget_id, user_id, period)
);

-- One row for each model call.
CREATE TABLE spend (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  project_id uuid,
  execution_id uuid REFERENCES executions ON DELETE CASCADE,
  step_id uuid,
  round integer NOT NULL DEFAULT 0,
  item integer NOT NULL DEFAULT 0,
  attempt integer NOT NULL DEFAULT 0,
  provider text NOT NULL,
  model text NOT NULL,
  -- Made with a key of the server.
  is_lent boolean NOT NULL,
  prompt_tokens integer NOT NULL,
  cached_tokens integer NOT NULL DEFAULT 0,
  completion_tokens integer NOT NULL,
  reasoning_tokens integer NOT NULL DEFAULT 0,
  -- Null: the price is not known.
  currency text,
  micros bigint,
  ms bigint NOT NULL DEFAULT 0,
  state text NOT NULL CHECK (state IN ('reserved', 'settled', 'estimated')),
  -- The budgets in which the call was reserved: `[{"id", "period"}]`.
  budgets jsonb,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX spend_of_execution ON spend (execution_id);
CREATE INDEX spend_of_user ON spend (user_id, created_at);
CREATE INDEX spend_reserved ON spend (created_at) WHERE state = 'reserved';

ALTER TABLE executions
  -- The step whose question about a budget is open: nothing new begins meanwhile.
  ADD COLUMN budget_hold uuid,
  -- Models without a price may be called although a budget of money applies.
  ADD COLUMN unpriced_allowed boolean NOT NULL DEFAULT false,
  -- The run has ended at a budget, with what there was.
  ADD COLUMN limited boolean NOT NULL DEFAULT false;

-- The daily tokens on the server's keys are a budget too. What was used today counts on.
INSERT INTO budgets (id, scope, span, at_limit) VALUES ('00000000-0000-4000-8000-000000000001', 'server', 'day', 'refuse');
INSERT INTO budget_uses (budget_id, user_id, period, tokens)
  SELECT '00000000-0000-4000-8000-000000000001', user_id, to_char(day, 'YYYY-MM-DD'), tokens FROM token_usage WHERE day = (now() AT TIME ZONE 'utc')::date;
