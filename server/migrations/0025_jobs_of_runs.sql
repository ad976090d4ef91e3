-- A run is looked for by its job in every state: an index of unfinished ones cannot answer that.
DROP INDEX executions_job;
DROP INDEX executions_failed_job;
CREATE INDEX executions_job ON executions (job_id) WHERE job_id IS NOT NULL;
