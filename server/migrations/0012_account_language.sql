-- The language of an account: its pages, its emails and its simulated answers. Null for accounts that were made before and have chosen none.
ALTER TABLE users ADD COLUMN language text CHECK (language IN ('ru', 'en'));
