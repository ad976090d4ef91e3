-- Images in the result of a call, for models that see; null for none.
ALTER TABLE tool_calls ADD COLUMN images jsonb;
