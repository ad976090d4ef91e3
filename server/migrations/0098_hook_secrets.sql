-- Secrets of a hook that were replaced a short time ago, each with the time until when it signs beside the present one.
ALTER TABLE hooks_out ADD COLUMN former_secrets jsonb NOT NULL DEFAULT '[]';
