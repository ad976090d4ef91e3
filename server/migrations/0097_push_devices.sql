-- Browsers of people that are told of events by web push, while their session is open.
CREATE TABLE push_devices (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  -- A browser is told of the events of one account.
  endpoint_hash text NOT NULL UNIQUE,
  -- The address at the push service and the keys of the browser: with them alone messages can be sent.
  subscription_sealed text NOT NULL,
  name text NOT NULL,
  events text[] NOT NULL,
  added_at timestamptz NOT NULL
);
CREATE INDEX push_devices_of_user ON push_devices (user_id);
CREATE INDEX push_devices_of_session ON push_devices (session_id);

-- An event goes to a hook, to a chat or to a browser.
ALTER TABLE hook_deliveries
  ADD COLUMN device_id uuid REFERENCES push_devices ON DELETE CASCADE,
  DROP CONSTRAINT hook_deliveries_receiver,
  ADD CONSTRAINT hook_deliveries_receiver CHECK (num_nonnulls(hook_id, chat_of, device_id) = 1),
  ADD CONSTRAINT hook_deliveries_of_device UNIQUE (device_id, event_id);
