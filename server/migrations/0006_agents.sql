-- What an agent is told beside its task: 0 nothing, 1 what people add, 2 also the result just before it, 3 all results before it.
ALTER TABLE agents ADD COLUMN context_access_level smallint NOT NULL DEFAULT 3 CHECK (context_access_level BETWEEN 0 AND 3);

-- What an agent has done is counted from its steps.
CREATE INDEX execution_steps_agent ON execution_steps (agent_id);
