-- Runs in the order in which they ended: the oldest are removed when the operator keeps them for a time only.
CREATE INDEX executions_ended ON executions (coalesce(completed_at, failed_at)) WHERE status IN ('completed', 'failed', 'cancelled');

-- Of a dead letter the run is looked for by its job.
CREATE INDEX executions_failed_job ON executions (job_id) WHERE status = 'failed';
