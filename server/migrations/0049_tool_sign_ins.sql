-- A sign-in to a tool server in a browser: what its end needs, encrypted, and until when one node gets new tokens for it.
ALTER TABLE tool_servers ADD COLUMN sign_in_sealed text, ADD COLUMN refreshing_until timestamptz;
