-- The tokens a day on the server's keys have a second limit: over all accounts together, the scope `total`. Its counts have no user, so no
-- removal of an account gives them back. `holder` is what the counts of a budget are for: one user, or all of them.
ALTER TABLE budgets
  DROP CONSTRAINT budgets_scope_check,
  ADD CONSTRAINT budgets_scope_check CHECK (scope IN ('run', 'project', 'user', 'server', 'total'));
ALTER TABLE budget_uses
  DROP CONSTRAINT budget_uses_pkey;
ALTER TABLE budget_uses
  ALTER COLUMN user_id DROP NOT NULL,
  ADD COLUMN holder uuid NOT NULL GENERATED ALWAYS AS (coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED,
  ADD PRIMARY KEY (budget_id, holder, period);

-- `lost`: a call whose process was killed. It counts by its prompt (`least_...`), and like the call that repeats it once that is settled: the
-- one of the same step, round and turn. `step_id` is the command of a call that belongs to no run.
ALTER TABLE spend
  DROP CONSTRAINT spend_state_check,
  ADD CONSTRAINT spend_state_check CHECK (state IN ('reserved', 'settled', 'estimated', 'lost')),
  ADD COLUMN turn integer NOT NULL DEFAULT 0,
  ADD COLUMN least_prompt_tokens integer,
  ADD COLUMN least_micros bigint;
CREATE INDEX spend_open ON spend (step_id) WHERE state IN ('reserved', 'lost');
