-- Whether the runs that the workspace starts hold every hand-off.
ALTER TABLE projects ADD COLUMN hold_hand_offs boolean NOT NULL DEFAULT false;
