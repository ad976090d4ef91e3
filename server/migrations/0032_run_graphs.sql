-- A run can follow the links between its steps: branches, joins, choices, review loops, lists.
ALTER TABLE projects ADD COLUMN parallel_steps integer;
ALTER TABLE pipelines ADD COLUMN links jsonb, ADD COLUMN groups jsonb, ADD COLUMN max_parallel integer;
ALTER TABLE pipeline_steps ADD COLUMN settings jsonb, ADD COLUMN group_id text;

-- The graph of a run never changes. Null: its steps run one after another.
ALTER TABLE executions ADD COLUMN graph jsonb;

-- A row is one run of a step: of a round of its loops, for an item of a list. `pipeline_step_id` is null where it is `step_id` itself.
ALTER TABLE execution_steps
  ADD COLUMN pipeline_step_id uuid,
  ADD COLUMN round integer NOT NULL DEFAULT 0,
  ADD COLUMN item integer NOT NULL DEFAULT 0,
  ADD COLUMN choice text,
  DROP CONSTRAINT execution_steps_execution_id_order_index_key,
  ADD CONSTRAINT execution_steps_place UNIQUE (execution_id, order_index, round, item);

-- The final answer of a run is that of its last step that has one.
CREATE OR REPLACE FUNCTION write_result_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := lower(NEW.user_request || E'\n' || NEW.summary || E'\n' || NEW.tags || E'\n' || left(coalesce(NEW.final_result, ''), 65536));
  IF NEW.final_result IS NOT NULL THEN
    NEW.answer_search_text := NULL;
  ELSIF NEW.answer_search_text IS NULL THEN
    SELECT lower(left(result, 65536)) INTO NEW.answer_search_text FROM execution_steps
      WHERE execution_id = NEW.pipeline_execution_id AND result IS NOT NULL ORDER BY order_index DESC, round DESC, item DESC LIMIT 1;
  ELSE
    NEW.answer_search_text := lower(NEW.answer_search_text);
  END IF;
  RETURN NEW;
END
$$;
