-- A question that was answered after the clock had been set back stored a negative duration, which no client reads.
UPDATE execution_steps SET duration_ms = 0 WHERE duration_ms < 0;
UPDATE execution_events SET event = jsonb_set(event, '{step,durationMs}', '0')
  WHERE event->>'type' = 'step.completed' AND (event->'step'->>'durationMs')::numeric < 0;
