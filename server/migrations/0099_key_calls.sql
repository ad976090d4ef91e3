-- The address of the program whose key has started the run.
ALTER TABLE executions ADD COLUMN called_from text;
