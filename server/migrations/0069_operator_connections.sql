-- A connection of the operator's environment has no row: agents name it by a fixed id.
ALTER TABLE agents DROP CONSTRAINT agents_connection_id_fkey;

-- Agents of a removed connection have none, whatever removes it: a call, or the removal of its project.
CREATE FUNCTION forget_connections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE agents SET connection_id = NULL FROM gone WHERE agents.connection_id = gone.id;
  UPDATE agents SET fallback = NULL FROM gone WHERE agents.user_id = gone.user_id AND agents.fallback->>'connectionId' = gone.id::text;
  RETURN NULL;
END $$;
CREATE TRIGGER connections_forgotten AFTER DELETE ON connections REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION forget_connections();

-- Models that the server lists beyond those that are kept.
ALTER TABLE connections ADD COLUMN models_left_out integer NOT NULL DEFAULT 0;
