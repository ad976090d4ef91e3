/**
 * Programs that act on a file as soon as it is in a repository, in a clone, or in an opened folder, and the page that says so. Names are in lower
 * case. `folders` holds names of folders at any depth, `files` names of files, `stems` their names before the ending of a file of settings
 * (`azure-pipelines-1.yml` is of `azure-pipelines`), `endings` ends of names. A file that a person's own command executes is not listed: a build
 * script, a test, `package.json`.
 */
export type AutomationGroup = {
  source: string;
  folders?: readonly string[];
  files?: readonly string[];
  stems?: readonly string[];
  endings?: readonly string[];
};
