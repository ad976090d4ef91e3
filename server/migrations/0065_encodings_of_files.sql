-- The encoding that a text was read in; null for plain UTF-8. Its bytes are kept in content.
ALTER TABLE input_files ADD COLUMN encoding text;
ALTER TABLE replaced_git_files ADD COLUMN encoding text;

-- The bytes of a text that no character was made of.
ALTER TABLE input_files ADD COLUMN replaced integer NOT NULL DEFAULT 0;
ALTER TABLE replaced_git_files ADD COLUMN replaced integer NOT NULL DEFAULT 0;

-- DOCX, XLSX and RTF: the text was drawn out, as of a PDF.
ALTER TABLE input_files DROP CONSTRAINT input_files_kind_check,
  ADD CONSTRAINT input_files_kind_check CHECK (kind IN ('text', 'pdf', 'document', 'binary'));
ALTER TABLE replaced_git_files DROP CONSTRAINT replaced_git_files_kind_check,
  ADD CONSTRAINT replaced_git_files_kind_check CHECK (kind IN ('text', 'pdf', 'document', 'binary'));
