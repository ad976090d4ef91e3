-- The version of the canvas that a run began with.
ALTER TABLE executions ADD COLUMN IF NOT EXISTS canvas_version integer;

-- Marks that version when the run is stored, whichever statement stores it. A run that names its version repeats an earlier one.
CREATE FUNCTION mark_version_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.canvas_version IS NULL THEN
    SELECT canvas_version INTO NEW.canvas_version FROM projects WHERE id = NEW.project_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER executions_canvas_version BEFORE INSERT ON executions FOR EACH ROW EXECUTE FUNCTION mark_version_of_run();

CREATE FUNCTION mark_canvas_before_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO canvas_marks (project_id, version, kind, name, execution_id)
  SELECT NEW.project_id, NEW.canvas_version, 'run', left(btrim(regexp_replace(left(NEW.initial_task, 400), '\s+', ' ', 'g')), 100), NEW.id
  WHERE NEW.canvas_version > 0
  ON CONFLICT (project_id, version) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER executions_canvas_mark AFTER INSERT ON executions FOR EACH ROW EXECUTE FUNCTION mark_canvas_before_run();
