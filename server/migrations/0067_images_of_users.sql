-- PNG, JPEG, GIF and WebP, which are shown to models that see.
ALTER TABLE input_files DROP CONSTRAINT input_files_kind_check,
  ADD CONSTRAINT input_files_kind_check CHECK (kind IN ('text', 'pdf', 'document', 'image', 'binary'));
ALTER TABLE replaced_git_files DROP CONSTRAINT replaced_git_files_kind_check,
  ADD CONSTRAINT replaced_git_files_kind_check CHECK (kind IN ('text', 'pdf', 'document', 'image', 'binary'));
