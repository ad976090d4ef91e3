-- The runner of this machine that its user has connected. One row at most; a server that others can reach does not read it.
CREATE TABLE local_runner (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  port integer NOT NULL,
  token_sealed text NOT NULL,
  connected_at timestamptz NOT NULL DEFAULT now()
);
