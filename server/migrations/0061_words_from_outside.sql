-- Words of a repository that is not the project's own, and of persons without an account, are from outside like those of tools. Runs that have them
-- ask before a call leaves them, also those that were started before.
UPDATE executions SET has_outside = true FROM input_sets
  WHERE input_sets.id = executions.input_set_id AND NOT executions.has_outside AND input_sets.git IS NOT NULL AND NOT EXISTS (
    SELECT FROM git_targets WHERE git_targets.project_id = executions.project_id
      AND regexp_replace(git_targets.url, '\.git$', '') = regexp_replace(input_sets.git->>'url', '\.git$', ''));
UPDATE executions SET has_outside = true
  WHERE NOT has_outside AND EXISTS (
    SELECT FROM questions WHERE questions.execution_id = executions.id AND questions.state = 'answered'
      AND questions.token_hash IS NOT NULL AND questions.answered_by = coalesce(questions.email, ''));
