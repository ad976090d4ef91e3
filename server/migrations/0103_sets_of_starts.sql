-- Until when a set of files that a start has made for itself waits for its run. A start that is cut off leaves nothing that counts.
ALTER TABLE input_sets ADD COLUMN starts_until timestamptz;
