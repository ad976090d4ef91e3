-- The tools that an agent may call in runs of a project.
CREATE TABLE agent_tools (
  agent_id uuid NOT NULL REFERENCES agents ON DELETE CASCADE,
  tool_id uuid NOT NULL REFERENCES server_tools ON DELETE CASCADE,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
  PRIMARY KEY (agent_id, tool_id)
);
CREATE INDEX agent_tools_tool ON agent_tools (tool_id);
CREATE INDEX agent_tools_project ON agent_tools (project_id);

-- Whether the agent was ever given tools: most agents have none, and their steps look for none.
ALTER TABLE agents ADD COLUMN has_tools boolean NOT NULL DEFAULT false;
