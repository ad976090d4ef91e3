-- What an agent is told beside its task: 0 nothing, 1 what people add, 2 also the result just before it, 3 all results before it.
ALTER TABLE agents ADD COLUMN context_access_level smallint NOT NULL DEFAULT 3 CHECK (context_access_level BETWEEN 0 AND 3);

-- Who hands work to whom. Both agents are their owner's.
CREATE TABLE agent_relationships (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source_agent_id uuid NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  target_agent_id uuid NOT NULL REFERENCES agents (id) ON DELETE CASCADE CHECK (target_agent_id <> source_agent_id),
  relationship_type text NOT NULL CHECK (relationship_type IN ('delegates-to', 'reports-to', 'collaborates-with')),
  description text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX agent_relationships_once ON agent_relationships (source_agent_id, target_agent_id, relationship_type);
-- Working together has no direction.
CREATE UNIQUE INDEX agent_relationships_mutual
  ON agent_relationships (least(source_agent_id, target_agent_id), greatest(source_agent_id, target_agent_id))
  WHERE relationship_type = 'collaborates-with';
CREATE INDEX agent_relationships_target ON agent_relationships (target_agent_id);

-- What an agent has done is counted from its steps.
CREATE INDEX execution_steps_agent ON execution_steps (agent_id);
