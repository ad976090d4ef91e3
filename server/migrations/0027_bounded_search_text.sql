-- What a search looks through holds the first 65,536 characters of a result, and not a second copy of all of it. A new expression of a generated
-- column would write the whole table anew under a lock; so a trigger writes the column from now on, and rows that are there keep what they have.
ALTER TABLE results ALTER COLUMN search_text DROP EXPRESSION;

CREATE FUNCTION write_result_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := lower(NEW.user_request || E'\n' || NEW.summary || E'\n' || NEW.tags || E'\n' || left(NEW.final_result, 65536));
  RETURN NEW;
END
$$;

CREATE TRIGGER results_search_text BEFORE INSERT OR UPDATE OF user_request, summary, tags, final_result ON results
  FOR EACH ROW EXECUTE FUNCTION write_result_search_text();
