-- What a call has cost stays counted when its run or its project is removed: no removal gives a budget back.
ALTER TABLE spend
  DROP CONSTRAINT spend_execution_id_fkey,
  ADD CONSTRAINT spend_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES executions ON DELETE SET NULL;
UPDATE spend SET project_id = NULL WHERE project_id IS NOT NULL AND NOT EXISTS (SELECT FROM projects WHERE projects.id = spend.project_id);
ALTER TABLE spend ADD CONSTRAINT spend_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects ON DELETE SET NULL;
CREATE INDEX spend_of_project ON spend (project_id) WHERE project_id IS NOT NULL;
-- Calls are stored in the order of time, and old ones are removed.
CREATE INDEX spend_age ON spend USING brin (created_at);
CREATE INDEX budget_uses_of_user ON budget_uses (user_id);
CREATE INDEX budget_uses_of_execution ON budget_uses (execution_id) WHERE execution_id IS NOT NULL;
