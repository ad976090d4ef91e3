-- People take part in runs: their steps, hand-offs that wait, and the questions.
ALTER TABLE executions ADD COLUMN open_questions integer NOT NULL DEFAULT 0, ADD COLUMN holds jsonb;
ALTER TABLE execution_steps ADD COLUMN kind text, ADD COLUMN hand_off jsonb, ADD COLUMN revision jsonb;
ALTER TABLE execution_steps DROP CONSTRAINT execution_steps_status_check;
ALTER TABLE execution_steps ADD CONSTRAINT execution_steps_status_check
  CHECK (status IN ('pending', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'skipped'));

CREATE TABLE questions (
  id uuid PRIMARY KEY,
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  user_id uuid NOT NULL,
  project_id uuid NOT NULL,
  pipeline_id uuid NOT NULL,
  step_id uuid NOT NULL,
  node_id text,
  round integer NOT NULL,
  item integer NOT NULL,
  kind text NOT NULL,
  reason text NOT NULL,
  -- Everything that is shown and does not change.
  asked jsonb NOT NULL,
  -- The agent's text, once another text was handed on or the agent works again. Until then it is the result of the step.
  draft text,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'expired', 'withdrawn')),
  answer jsonb,
  answered_by text,
  answered_at timestamptz,
  opened_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  when_due jsonb NOT NULL,
  -- Of the signed link (SHA-256 of its token), and when it expires.
  token_hash text UNIQUE,
  token_expires_at timestamptz,
  -- When an email about it is due; null once it was sent.
  letter_due_at timestamptz,
  -- The person without an account who gets a signed link.
  email text
);
CREATE INDEX questions_letters ON questions (letter_due_at) WHERE letter_due_at IS NOT NULL;
CREATE INDEX questions_of_execution ON questions (execution_id, opened_at);
CREATE INDEX questions_of_user ON questions (user_id, opened_at DESC);
CREATE INDEX questions_open_of_user ON questions (user_id, opened_at DESC) WHERE state = 'open';
CREATE INDEX questions_due ON questions (due_at) WHERE state = 'open';
-- A step asks one question at a time.
CREATE UNIQUE INDEX questions_open_of_step ON questions (execution_id, step_id) WHERE state = 'open';

-- The final answer of a run is that of its last step of an agent that has one; of a person where no agent worked.
CREATE OR REPLACE FUNCTION write_result_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := lower(NEW.user_request || E'\n' || NEW.summary || E'\n' || NEW.tags || E'\n' || left(coalesce(NEW.final_result, ''), 65536));
  IF NEW.final_result IS NOT NULL THEN
    NEW.answer_search_text := NULL;
  ELSIF NEW.answer_search_text IS NULL THEN
    SELECT lower(left(result, 65536)) INTO NEW.answer_search_text FROM execution_steps
      WHERE execution_id = NEW.pipeline_execution_id AND result IS NOT NULL
      ORDER BY kind NULLS FIRST, order_index DESC, round DESC, item DESC LIMIT 1;
  ELSE
    NEW.answer_search_text := lower(NEW.answer_search_text);
  END IF;
  RETURN NEW;
END
$$;
