-- A text as searches compare it: in lower case, composed (NFC), with ё as е. `rules/text/search-key.ts` does the same.
CREATE FUNCTION search_key(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(normalize(lower(words), NFC), 'ё', 'е');

CREATE OR REPLACE FUNCTION write_result_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := search_key(NEW.user_request || E'\n' || NEW.summary || E'\n' || NEW.tags || E'\n' || left(coalesce(NEW.final_result, ''), 65536));
  IF NEW.final_result IS NOT NULL THEN
    NEW.answer_search_text := NULL;
  ELSIF NEW.answer_search_text IS NULL THEN
    SELECT search_key(left(result, 65536)) INTO NEW.answer_search_text FROM execution_steps
      WHERE execution_id = NEW.pipeline_execution_id AND result IS NOT NULL
      ORDER BY kind NULLS FIRST, order_index DESC, round DESC, item DESC LIMIT 1;
  ELSE
    NEW.answer_search_text := search_key(NEW.answer_search_text);
  END IF;
  RETURN NEW;
END
$$;

-- The trigger writes the keys. Only rows whose keys change are written.
UPDATE results SET tags = tags
  WHERE strpos(search_text, 'ё') > 0 OR strpos(answer_search_text, 'ё') > 0
    OR search_text IS NOT NFC NORMALIZED OR answer_search_text IS NOT NFC NORMALIZED;
