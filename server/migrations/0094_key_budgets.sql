-- A budget of an API key limits the calls of models in what the key has started. Its row has no user: a node of the earlier version would apply it to
-- all calls of the account.
ALTER TABLE budgets
  ADD COLUMN key_id uuid REFERENCES api_keys ON DELETE CASCADE,
  DROP CONSTRAINT budgets_scope_check,
  ADD CONSTRAINT budgets_scope_check CHECK (scope IN ('run', 'project', 'user', 'key', 'server', 'total')),
  DROP CONSTRAINT budgets_place,
  ADD CONSTRAINT budgets_place UNIQUE NULLS NOT DISTINCT (scope, user_id, project_id, execution_id, key_id, span),
  ADD CONSTRAINT budgets_key CHECK ((scope = 'key') = (key_id IS NOT NULL));
CREATE INDEX budgets_of_key ON budgets (key_id) WHERE key_id IS NOT NULL;

-- The key that has started a run or a command.
ALTER TABLE executions ADD COLUMN key_id uuid REFERENCES api_keys ON DELETE SET NULL;
CREATE INDEX executions_of_key ON executions (key_id) WHERE key_id IS NOT NULL;
ALTER TABLE agent_commands ADD COLUMN key_id uuid REFERENCES api_keys ON DELETE SET NULL;
CREATE INDEX agent_commands_of_key ON agent_commands (key_id) WHERE key_id IS NOT NULL;
