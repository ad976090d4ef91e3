-- Who writes what programs give a team: words of others than the account make each call that leaves the run ask. Teams from before ask, too.
ALTER TABLE released_teams ADD COLUMN filled_by text NOT NULL DEFAULT 'outsiders' CHECK (filled_by IN ('outsiders', 'account'));
-- The task of a run is from outside, so that also a fork that keeps nothing has such words.
ALTER TABLE executions ADD COLUMN has_outside_task boolean NOT NULL DEFAULT false;
-- The message with which a chat was told of an event: the last one, where a killed server has sent it twice.
ALTER TABLE hook_deliveries ADD COLUMN message_id bigint;
