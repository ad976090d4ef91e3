-- The hosts beyond the operator's registries that the install step of a run has asked for, and what a person has decided about them.
ALTER TABLE executions ADD COLUMN install_hosts jsonb;

-- What a runner installs for a project before its tests; null for what lock files or else manifests name.
ALTER TABLE projects ADD COLUMN installs text CHECK (installs IN ('lock', 'off'));
