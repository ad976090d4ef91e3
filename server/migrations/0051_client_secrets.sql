-- The secret of a client that signs in to a tool server in a browser, encrypted for the address that tokens come from.
ALTER TABLE tool_servers ADD COLUMN secret_sealed text;
