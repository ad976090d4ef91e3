-- What the prompts of a step leave out to fit the window of its model.
ALTER TABLE execution_steps ADD COLUMN shortened jsonb;
-- What the model wrote about the turns up to this one, which its prompts then leave out.
ALTER TABLE model_turns ADD COLUMN summary text;
