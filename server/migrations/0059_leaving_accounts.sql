-- An account that is being deleted: when its time to take it back ends, and since when a node removes its data.
ALTER TABLE users ADD COLUMN deletion_due_at timestamptz, ADD COLUMN removal_began_at timestamptz;
CREATE INDEX users_leaving ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL;

-- What deleted accounts have used of the operator's model keys: sums that name no person.
CREATE TABLE left_spend (
  month date NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  -- Empty for calls whose price was not known.
  currency text NOT NULL,
  calls bigint NOT NULL,
  prompt_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  micros bigint NOT NULL,
  PRIMARY KEY (month, provider, model, currency)
);
