-- The processes that serve from this database. Each counts its beat up; one whose beat stands still has died and is removed.
CREATE TABLE nodes (
  id uuid PRIMARY KEY,
  beat bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT now()
);

-- Which node is at work on it. One that names no row of `nodes` is taken up by another.
ALTER TABLE executions ADD COLUMN node_id uuid;
DROP INDEX executions_at_work;
CREATE INDEX executions_at_work ON executions (node_id) WHERE status IN ('pending', 'running');

-- The notes of the durable engine that earlier versions used: what a run did is in its own rows.
DROP SCHEMA IF EXISTS durable CASCADE;
