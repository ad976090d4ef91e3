-- A ticket opens one WebSocket, once and within 30 seconds. Only its hash is kept.
CREATE TABLE socket_tickets (
  hash text PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- When the access token runs out that asked for it: the socket is closed then, unless it is given a newer token.
  token_good_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX socket_tickets_session ON socket_tickets (session_id);
CREATE INDEX socket_tickets_user ON socket_tickets (user_id);
CREATE INDEX socket_tickets_expires ON socket_tickets (expires_at);
