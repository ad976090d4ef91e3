-- A path as it is compared with others: in lower case, composed (NFC). Paths that JavaScript finds equal in one of these have one key: it writes the
-- dotted İ as two characters, and Σ at the end of a word as ς.
CREATE FUNCTION path_key(path text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN normalize(lower(replace(replace(path, 'İ', U&'i\0307'), 'ς', 'σ') COLLATE "default"), NFC);

-- What is beside a path in a base is found without reading all of it. An index takes no more than 2,704 bytes, and a key may be longer than its path.
CREATE INDEX git_base_files_key ON git_base_files (base_id, left(path_key(path), 600) COLLATE "C");
