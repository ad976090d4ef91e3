import { z } from 'zod';
import { id, pathRefusals, timestamp } from './common.ts';
import { projectId } from './project.ts';

const mebibyte = 1024 * 1024;
const count = z.number().int().min(0);

/** Limits of the files that a user gives to a run. */
export const inputLimits = {
  /** Bytes of one file, also within an archive or a repository, and of an archive itself. */
  fileBytes: 10 * mebibyte,
  /** Files that are added one by one. */
  addedFiles: 25,
  /** Bytes of a whole set, unpacked. */
  setBytes: 50 * mebibyte,
  /** Files of a set beside its repository, with those of archives. */
  files: 50_025,
  /** Files of one archive: as many as of a repository. Folders are as many again. */
  archiveFiles: 50_000,
  /** Bytes of one image for models that see, which providers take in base64 up to 5 MB, and how many images a step is shown. */
  image: { bytes: 3.5 * mebibyte, count: 8 },
  /** What a repository has at most. The operator may set less. */
  git: { bytes: 500 * mebibyte, files: 50_000, paths: 20 },
  /** Files of a repository that an answer lists, and entries of one page of files. */
  listedOfBase: 200,
  /** Other files of a set that an answer lists. Those that were added one by one are among them. */
  listedOfSet: 2_025,
  /** Bytes of all sets of one account that no run has used. */
  unsentBytes: 200 * mebibyte,
  /** Hours after which a set that no run has used is removed. */
  unsentHours: 24,
} as const;

/**
 * Reasons to refuse a file, an archive or a repository. `path_kept`: a file that its user has added has the path. `path_twice`: an earlier
 * file of the same archive or repository has it.
 */
export const inputRefusals = [
  ...pathRefusals,
  'path_kept',
  'path_twice',
  'too_large',
  'count_exceeded',
  'set_full',
  'account_full',
  'image',
  'image_too_large',
  'binary',
  'not_utf8',
  'is_archive',
  'link',
  'submodule',
  'lfs',
  'system_file',
  'token',
  'pdf_unreadable',
  'pdf_password',
  'pdf_too_costly',
  'pdf_no_text',
  'document_unreadable',
  'document_too_costly',
  'document_no_text',
  'document_old',
  'archive_unreadable',
  'archive_encrypted',
  'archive_count_exceeded',
  'archive_too_large',
  'git_address',
  'git_host',
  'git_no_host',
  'git_proxy',
  'git_not_found',
  'git_needs_token',
  'git_ref',
  'git_empty',
  'git_head',
  'git_untrusted',
  'git_too_large',
  'git_file_limit',
  'git_paths',
  'git_timeout',
  'git_failed',
  'git_taken',
] as const;
export type InputRefusal = (typeof inputRefusals)[number];

/**
 * `text` is text itself. Of `pdf` and `document` (DOCX, XLSX, RTF) the text was drawn out. An `image` is shown to models that see. `binary` is in
 * archives and repositories alone.
 */
const inputKinds = ['text', 'pdf', 'document', 'image', 'binary'] as const;

/** A file that a user gave to a run. Its path is only a name, never a path on a disk. */
export const inputFile = z.object({
  path: z.string(),
  mime: z.string(),
  bytes: count,
  /** Of the file's bytes, in hexadecimal. */
  sha256: z.string(),
  kind: z.enum(inputKinds),
  /** What a text was read as, such as Windows-1251; null for plain UTF-8, and for what is not text itself. */
  encoding: z.string().nullable(),
  /** Bytes of a text that are in no encoding. Each is shown as one U+FFFD. */
  replaced: count,
  /** Whether it was added by itself, or came from an archive or a repository. */
  from: z.enum(['file', 'archive', 'git']),
});
export type InputFile = z.infer<typeof inputFile>;

/** The repository that the files of a set come from, at one commit. */
const gitSource = z.object({
  url: z.string(),
  ref: z.string(),
  sha: z.string(),
  /** Whether `ref` is a branch; absent for a tag, a commit, and where it is not known. */
  isBranch: z.literal(true).optional(),
  /** The folders and files of it that were read; absent for all. */
  paths: z.array(z.string()).optional(),
});
export type GitSource = z.infer<typeof gitSource>;

/** The files of a run before it starts: its base tree. From the first start on it does not change. */
export const inputSet = z.object({
  id,
  projectId: id,
  git: gitSource.nullable(),
  /** By path. Of a repository the first 200 are listed, of other files 2,025. */
  files: z.array(inputFile),
  /** All files, also those that are not listed, and their bytes. */
  count,
  bytes: count,
  createdAt: timestamp,
  /** When its first run started; null until then. */
  sealedAt: timestamp.nullable(),
});
export type InputSet = z.infer<typeof inputSet>;

/** A file of an archive or a repository that was left out: the reason, and a sentence in the caller's language. */
const leftOutFile = z.object({ path: z.string(), reason: z.enum(inputRefusals), message: z.string() });

/** The set after an archive or a repository was added. At most 100 files that were left out are listed. */
export const inputAddition = z.object({ set: inputSet, leftOut: z.array(leftOutFile) });
export type InputAddition = z.infer<typeof inputAddition>;

/** `copyOf`: a set of the same project whose files the new one begins with, or all but those of its repository. */
export const inputSetCreation = z.object({ projectId, copyOf: id.optional(), withoutRepository: z.boolean().optional() });
export type InputSetCopy = Pick<z.output<typeof inputSetCreation>, 'copyOf' | 'withoutRepository'>;

/** `folder`: below which to list; it ends with a slash. `search`: words that each path has, in any case. `after`: `next` of the page before. */
export const inputFilesQuery = z.object({
  folder: z
    .string()
    .max(1_000)
    .regex(/^$|\/$/)
    .default(''),
  search: z.string().max(200).default(''),
  after: z.string().max(1_100).optional(),
});

/**
 * A page of the files of a set. Of a search, and of a folder with at most 200 files below it, these are the files by path; else the folders of
 * that folder, then its files.
 */
export const inputFilesPage = z.object({
  /** Folders whose files are to be asked for. Their paths end with a slash. */
  folders: z.array(z.object({ path: z.string(), count })),
  files: z.array(inputFile),
  /** What is known by its name only, as links, submodules and pointers of Git LFS. */
  leftOut: z.array(leftOutFile),
  /** `after` of the next page; null on the last one. */
  next: z.string().nullable(),
});
export type InputFilesPage = z.infer<typeof inputFilesPage>;

export const byInputPath = z.object({ path: z.string().min(1).max(1_000) });

/** The bytes of a file. */
export const fileBytes = z.instanceof(Uint8Array);

/** A folder or a file of a repository, as `packages/web`: with single forward slashes, and none at its ends. It cannot lead out of it. */
const repositoryPath = z
  .string()
  .trim()
  .transform((path) =>
    path
      .split('/')
      .filter((name) => name !== '' && name !== '.')
      .join('/'),
  )
  .pipe(
    z
      .string()
      .min(1)
      .max(1_000)
      .regex(/^[^\n]+$/)
      .refine((path) => !path.split(/[/\\]/).includes('..'), { params: { rule: 'outside' } }),
  );
export const repositoryPaths = z.array(repositoryPath).max(inputLimits.git.paths);

/** A repository by its HTTPS address; `ref` is a branch, a tag or a commit, the default branch without one. The token is not stored. */
export const gitAddress = z.object({
  url: z.string().trim().min(1).max(2_000),
  ref: z.string().trim().min(1).max(250).optional(),
  token: z.string().min(1).max(1_000).optional(),
  paths: repositoryPaths.optional(),
});
export type GitAddress = z.output<typeof gitAddress>;
