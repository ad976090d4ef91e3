-- Null until a link that was sent to the address has been opened.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

-- From now on the column marks the first account alone. All other staff follows from the settings and a verified address.
UPDATE users SET is_staff = false WHERE is_staff AND id <> (SELECT id FROM users ORDER BY created_at, id LIMIT 1);

-- An email's link that verifies an address: once, and for a day. Only the token's hash is kept.
CREATE TABLE email_verifications (
  hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The address that it was sent to: it verifies no other.
  email text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX email_verifications_user ON email_verifications (user_id);

-- A keyed hash of the address that a session was last used from: a place that its account has signed in from.
ALTER TABLE sessions ADD COLUMN place_hash text;

-- How often a successor was issued for this token, when the latest was, and when another was issued in place of this token.
ALTER TABLE refresh_tokens ADD COLUMN successors integer NOT NULL DEFAULT 0;
ALTER TABLE refresh_tokens ADD COLUMN successor_issued_at timestamptz;
ALTER TABLE refresh_tokens ADD COLUMN superseded_at timestamptz;
UPDATE refresh_tokens SET successors = 1, successor_issued_at = first_used_at WHERE first_used_at IS NOT NULL;
