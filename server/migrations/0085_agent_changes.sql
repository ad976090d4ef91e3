-- The history of an agent's prompt: each change with the text before and after it.
CREATE TABLE agent_changes (
  agent_id uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
  number integer NOT NULL,
  before text NOT NULL,
  after text NOT NULL,
  author uuid REFERENCES users ON DELETE SET NULL,
  cause text NOT NULL CHECK (cause IN ('person', 'import', 'proposal')),
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (agent_id, number)
);
CREATE INDEX agent_changes_age ON agent_changes (at);
CREATE INDEX agent_changes_author ON agent_changes (author) WHERE author IS NOT NULL;
