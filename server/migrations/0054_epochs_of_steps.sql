-- The lease epoch of the attempt that has begun the step last: only that attempt stores what the step has cost. Null before its start.
ALTER TABLE execution_steps ADD COLUMN lease_epoch integer;
