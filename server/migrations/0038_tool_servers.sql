-- Tool servers of projects. A server of the operator has a row once a project has tested it; `name` is then its name in the operator's file.
CREATE TABLE tool_servers (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('http', 'operator')),
  name text NOT NULL,
  url text,
  -- How the server knows this one, without secrets: kind, header, clientId, tokenUrl, scope.
  auth jsonb NOT NULL,
  -- A key or a client's secret, encrypted for this server and the host that it is sent to.
  key_sealed text,
  key_last4 text,
  key_host text,
  tested_at timestamptz,
  problem text,
  about_name text,
  about_version text,
  -- Tools of the last test that were not taken, as JSON text: names may hold any character.
  refused text NOT NULL DEFAULT '[]',
  refused_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX tool_servers_project ON tool_servers (project_id);

-- Tools of a server. `pinned` is the definition that a person has seen, `current` what the server says now if it differs. Both are JSON text.
CREATE TABLE server_tools (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  server_id uuid NOT NULL REFERENCES tool_servers ON DELETE CASCADE,
  -- The server's name for the tool, and the name by which models call it.
  name text NOT NULL,
  call_name text NOT NULL,
  pinned text NOT NULL,
  pinned_hash text NOT NULL,
  pinned_at timestamptz NOT NULL,
  current text,
  current_hash text,
  is_missing boolean NOT NULL DEFAULT false,
  policy text NOT NULL CHECK (policy IN ('auto', 'ask', 'never')),
  UNIQUE (server_id, name),
  UNIQUE (project_id, call_name)
);
