-- Who works on what is said by the jobs of a queue: see `platform/work-queue`. Executions and commands under way get new jobs at the next start.
DROP INDEX executions_at_work;
DROP INDEX agent_commands_at_work;
ALTER TABLE executions DROP COLUMN node_id;
ALTER TABLE agent_commands DROP COLUMN node_id;
DROP TABLE nodes;

-- Raised by each attempt, and by whatever ends one. A write of an older epoch changes nothing.
ALTER TABLE executions RENAME COLUMN leg TO lease_epoch;
ALTER TABLE agent_commands RENAME COLUMN leg TO lease_epoch;

-- The job of the stretch under way, from a start or a resume to the next pause or end. A command's job has the command's own id.
ALTER TABLE executions ADD COLUMN job_id uuid;
ALTER TABLE executions RENAME COLUMN held TO not_started;

CREATE INDEX executions_unfinished ON executions (user_id, priority DESC, created_at) WHERE status IN ('pending', 'running') AND NOT not_started;
CREATE INDEX executions_job ON executions (job_id) WHERE status IN ('pending', 'running');
CREATE INDEX agent_commands_unfinished ON agent_commands (user_id) WHERE status IN ('pending', 'running');
CREATE INDEX agent_commands_of_agent ON agent_commands (agent_id) WHERE status IN ('pending', 'running');
