-- Which versions of a canvas can be read is found without reading all of its changes.
ALTER TABLE canvas_changes
  -- The version before has no change: it was saved by an earlier release, or this change is the first one of its canvas.
  ADD COLUMN is_start boolean NOT NULL DEFAULT false;
UPDATE canvas_changes AS change SET is_start = true
  WHERE NOT EXISTS (SELECT FROM canvas_changes AS earlier WHERE earlier.project_id = change.project_id AND earlier.version = change.version - 1);
CREATE INDEX canvas_changes_with_patches ON canvas_changes (project_id, version) WHERE patches IS NOT NULL;
CREATE INDEX canvas_changes_starts ON canvas_changes (project_id, version) WHERE is_start;
