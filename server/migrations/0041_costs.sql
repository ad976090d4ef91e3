-- What the model calls of a step have cost: amounts by currency, and whether some are unknown or estimated. Null: not known, from before this.
ALTER TABLE execution_steps ADD COLUMN cost jsonb;
