-- Input that a call has written to its provider's cache, which some providers bill dearer than other input.
ALTER TABLE spend ADD COLUMN cache_write_tokens integer NOT NULL DEFAULT 0;
ALTER TABLE left_spend ADD COLUMN cache_write_tokens bigint NOT NULL DEFAULT 0;

-- What the list of a connection tells of the prices of models that agents use, by the models' names.
ALTER TABLE connections ADD COLUMN told_prices jsonb;
