-- What a release runs is a pipeline that no list shows and no call changes. All runs of a release belong to it.
ALTER TABLE pipelines ADD COLUMN is_of_release boolean NOT NULL DEFAULT false;
CREATE INDEX pipelines_of_releases ON pipelines (id) WHERE is_of_release;

ALTER TABLE team_releases ADD COLUMN pipeline_id uuid REFERENCES pipelines ON DELETE CASCADE;
ALTER TABLE team_releases DISABLE TRIGGER team_releases_fixed;
DO $$
DECLARE
  release record;
  made uuid;
BEGIN
  FOR release IN SELECT team_id, number, plan, project_id, run_as FROM team_releases JOIN released_teams ON id = team_id LOOP
    made := gen_random_uuid();
    INSERT INTO pipelines (id, user_id, project_id, name, description, configuration, status, max_execution_time_seconds, links, groups, max_parallel, is_of_release)
      VALUES (made, release.run_as, release.project_id, release.plan->>'name', coalesce(release.plan->>'description', ''),
        coalesce(release.plan->>'configuration', '{}'), 'ready', (release.plan->>'maxExecutionTimeSeconds')::integer,
        nullif(release.plan->'links', 'null'), nullif(release.plan->'groups', 'null'), (release.plan->>'maxParallel')::integer, true);
    INSERT INTO pipeline_steps (id, pipeline_id, order_index, name, description, agent_id, node_id, timeout_seconds, settings, group_id)
      SELECT gen_random_uuid(), made, place - 1, step->>'name', coalesce(step->>'description', ''), (step->>'agentId')::uuid, step->>'nodeId',
        (step->>'timeoutSeconds')::integer, nullif(step->'settings', 'null'), step->>'groupId'
      FROM jsonb_array_elements(release.plan->'steps') WITH ORDINALITY AS planned (step, place);
    UPDATE team_releases SET pipeline_id = made WHERE team_id = release.team_id AND number = release.number;
  END LOOP;
END $$;
ALTER TABLE team_releases ENABLE TRIGGER team_releases_fixed;
ALTER TABLE team_releases ALTER COLUMN pipeline_id SET NOT NULL;
ALTER TABLE team_releases DROP COLUMN plan;
CREATE INDEX team_releases_pipeline ON team_releases (pipeline_id);
