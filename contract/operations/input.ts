import type { InputFile, InputSet } from '../input.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const id = sampleIds.inputSet;
const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const file: InputFile = {
  path: 'notes.txt',
  mime: 'text/plain',
  bytes: 5,
  sha256,
  kind: 'text',
  encoding: null,
  replaced: 0,
  from: 'file',
};
const set: InputSet = {
  id,
  projectId: sampleIds.project,
  git: null,
  files: [],
  count: 0,
  bytes: 0,
  createdAt: sampleTimes.created,
  sealedAt: null,
};
const one = { count: 1, bytes: file.bytes };
const body = new Uint8Array();

export const inputOperations: OperationDocs<'input'> = {
  'input.create': {
    summary: 'Create a set of files for a run',
    description:
      'Creates a set of files in a project of the caller, empty or as a copy (`copyOf`, also `withoutRepository`). `inputSetId` of a started execution names it; from then on it cannot change. A set that no execution has used is removed after 24 hours.',
    example: { body: { projectId: sampleIds.project }, response: set },
  },
  'input.get': {
    summary: 'Get a set of files',
    description:
      'Returns a set of the caller with its files, without their contents. Of a repository the first 200 are listed; `count` and `bytes` are of all.',
    example: { params: { id }, response: { ...set, ...one, files: [file] } },
  },
  'input.files': {
    summary: 'List the files of a set, a page at a time',
    description:
      'Lists the files of a set of the caller below `folder`, or those whose paths have each word of `search`: 200 a page. A folder with more files lists its folders with their counts, then its own files. `leftOut` names links, submodules and pointers of Git LFS.',
    example: { params: { id }, query: { folder: 'docs/' }, response: { folders: [], files: [file], leftOut: [], next: null } },
  },
  'input.putFile': {
    summary: 'Add a file to a set',
    description:
      'Adds one file, or replaces the one at its path: text in any encoding, which `encoding` names, PDF, DOCX, XLSX, RTF or an image. A file has 10 MiB at most, an image 3.5 MiB, a set 25 files and 50 MiB. Fails with `input_refused` and a reason in `details.reason`.',
    example: { params: { id }, query: { path: 'notes.txt' }, body, response: file },
  },
  'input.fileText': {
    summary: 'Get the text of a file in a set',
    description:
      'Returns the text of a file of the caller, and the text that was drawn out of a document. Fails with 404 for a binary file.',
    example: { params: { id }, query: { path: 'notes.txt' }, response: 'hello' },
  },
  'input.removeFile': {
    summary: 'Remove a file from a set',
    description:
      'Removes a file from a set of the caller. Succeeds when there is no such file. Fails with 409 when a run has used the set.',
    example: { params: { id }, query: { path: 'notes.txt' } },
  },
  'input.addRepository': {
    summary: 'Add the files of a Git repository to a set',
    description:
      'Reads the files of a repository at one commit into the set: all of them, or those below `paths`. Without a token the one of the project is used for its host, and a given one is not stored. Files that were left out are listed with their reason, and a failure adds nothing.',
    example: {
      params: { id },
      body: { url: 'https://git.example.com/ann/bakery', ref: 'main' },
      response: {
        set: {
          ...set,
          ...one,
          git: { url: 'https://git.example.com/ann/bakery', ref: 'main', sha: '0123456789abcdef0123456789abcdef01234567' },
          files: [{ ...file, from: 'git' }],
        },
        leftOut: [],
      },
    },
  },
  'input.addArchive': {
    summary: 'Add the files of a ZIP to a set',
    description:
      'Unpacks a ZIP of at most 10 MiB into a set of the caller: at most 2,000 entries and 50 MiB in a set. Links and files with unsafe paths are left out and listed. An archive within it is not unpacked.',
    example: { params: { id }, body, response: { set: { ...set, ...one, files: [{ ...file, from: 'archive' }] }, leftOut: [] } },
  },
};
