-- Commands that have joined a step of a run have no jobs any more: the server moves them on by their steps.
DO $$ BEGIN
  IF to_regclass('artel_queue.job') IS NOT NULL THEN
    DELETE FROM artel_queue.job WHERE name = 'joined-command';
  END IF;
END $$;
