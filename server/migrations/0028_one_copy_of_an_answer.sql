-- The final answer of a run is stored once: in its last step. A history item without a result of its own shows that answer.
UPDATE execution_steps AS step SET result = run.result FROM executions AS run
  WHERE step.execution_id = run.id AND run.status = 'completed' AND step.result IS DISTINCT FROM run.result AND run.result IS NOT NULL
    AND step.order_index = (SELECT max(order_index) FROM execution_steps WHERE execution_id = run.id);

-- A search reads lower-case text: lowering every answer anew takes six times as long. The beginning of an answer is long enough.
DROP TRIGGER results_search_text ON results;
ALTER TABLE results ALTER COLUMN final_result DROP NOT NULL, ADD COLUMN answer_search_text text;

UPDATE results SET
    final_result = NULL,
    answer_search_text = left(substr(search_text, 1 + length(lower(user_request || E'\n' || summary || E'\n' || tags || E'\n'))), 65536),
    search_text = lower(user_request || E'\n' || summary || E'\n' || tags || E'\n')
  FROM executions AS run, execution_steps AS step
  WHERE run.id = results.pipeline_execution_id AND run.status = 'completed' AND step.execution_id = run.id
    AND step.order_index = (SELECT max(order_index) FROM execution_steps WHERE execution_id = run.id)
    AND step.result = results.final_result;

CREATE OR REPLACE FUNCTION write_result_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := lower(NEW.user_request || E'\n' || NEW.summary || E'\n' || NEW.tags || E'\n' || left(coalesce(NEW.final_result, ''), 65536));
  IF NEW.final_result IS NOT NULL THEN
    NEW.answer_search_text := NULL;
  ELSIF NEW.answer_search_text IS NULL THEN
    SELECT lower(left(result, 65536)) INTO NEW.answer_search_text FROM execution_steps
      WHERE execution_id = NEW.pipeline_execution_id ORDER BY order_index DESC LIMIT 1;
  ELSE
    NEW.answer_search_text := lower(NEW.answer_search_text);
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER results_search_text BEFORE INSERT OR UPDATE OF user_request, summary, tags, final_result, answer_search_text ON results
  FOR EACH ROW EXECUTE FUNCTION write_result_search_text();

-- Frees the space of the copies: dropping a column alone does not.
UPDATE executions SET result = NULL WHERE result IS NOT NULL;
ALTER TABLE executions DROP COLUMN result;
