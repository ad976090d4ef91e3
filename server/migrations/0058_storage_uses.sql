-- What each account stores. Written by the limits of storage alone: a row is made when an account first writes, and measured again now and then.
CREATE TABLE storage_uses (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- The bytes of each kind when they were last measured.
  kinds jsonb NOT NULL,
  -- The bytes in all: as measured, and what was stored since.
  bytes bigint NOT NULL,
  -- All bytes that were ever added to `bytes` by writes: a measurement finds by it what was stored meanwhile.
  added bigint NOT NULL DEFAULT 0,
  -- The bytes of writes under way. A process that died keeps them reserved until the given time.
  reserved bigint NOT NULL DEFAULT 0,
  reserved_until timestamptz,
  measured_at timestamptz NOT NULL
);
