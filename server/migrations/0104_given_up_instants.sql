-- The job of an instant that was given up: by it staff finds and retries the instant of a dead letter.
ALTER TABLE fires ADD COLUMN job_id uuid;
CREATE INDEX fires_given_up ON fires (job_id) WHERE job_id IS NOT NULL;
