-- When the events and turns of an old run were removed; its results, files, questions, answers and costs stay.
ALTER TABLE executions ADD COLUMN thinned_at timestamptz;
-- Ended runs that are not thinned, in the order in which they ended.
CREATE INDEX executions_unthinned ON executions (coalesce(completed_at, failed_at))
  WHERE status IN ('completed', 'failed', 'cancelled') AND thinned_at IS NULL;

-- When something of a repository was handled. What an earlier release has noted counts as handled now.
ALTER TABLE forge_seen ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX forge_seen_oldest ON forge_seen (seen_at);

-- What is thinned by its age: deliveries, thoughts without a run, and tokens that were used or replaced.
CREATE INDEX hook_deliveries_oldest ON hook_deliveries (created_at);
CREATE INDEX agent_thoughts_of_no_run ON agent_thoughts (created_at) WHERE execution_id IS NULL;
CREATE INDEX refresh_tokens_over ON refresh_tokens (coalesce(first_used_at, superseded_at));
