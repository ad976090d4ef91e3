-- The tool that a call was approved for, or was carried out with: its id and the hash of its definition. The call asks again when it is another one.
ALTER TABLE tool_calls ADD COLUMN tool_key text;

-- Tools that a person has approved for the rest of a run, by the same keys: a list of texts.
ALTER TABLE executions ADD COLUMN approved_tools jsonb;

-- `always` does not ask either once results from outside are in a run.
ALTER TABLE server_tools DROP CONSTRAINT server_tools_policy_check;
ALTER TABLE server_tools ADD CONSTRAINT server_tools_policy_check CHECK (policy IN ('always', 'auto', 'ask', 'never'));

-- Hosts whose web pages the agents of a project may read, beside those of the operator: a list of texts.
ALTER TABLE projects ADD COLUMN fetch_hosts jsonb;
