-- A schedule whose next instant cannot be computed is paused alone.
ALTER TABLE triggers DROP CONSTRAINT triggers_paused_reason_check;
ALTER TABLE triggers ADD CONSTRAINT triggers_paused_reason_check CHECK (paused_reason IN ('owner', 'failures', 'team', 'schedule'));

-- What a push service has answered when it refused the last message for a browser, and when.
ALTER TABLE push_devices ADD COLUMN failed_status integer, ADD COLUMN failed_at timestamptz;
