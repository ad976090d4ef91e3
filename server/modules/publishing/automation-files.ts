import { posix } from 'node:path';

/** Folders that CI servers, Git hooks, editors and their agents run by themselves, in lower case. */
const folders: ReadonlySet<string> = new Set([
  ...['.github', '.gitlab', '.gitea', '.forgejo', '.circleci', '.buildkite', '.woodpecker', '.teamcity', '.azure-pipelines'],
  ...['.builds', '.semaphore', '.tekton', '.harness', '.concourse'],
  ...['.husky', 'husky', '.githooks', 'githooks', '.git-hooks', 'git-hooks', '.hooks', '.overcommit'],
  ...['.devcontainer', '.vscode', '.idea', '.zed', '.nova', '.fleet', '.idx', '.codesandbox', '.claude', '.cursor', '.gemini', '.codex'],
]);
/** Files that have one name only. */
const files: ReadonlySet<string> = new Set(['.gitmodules', '.gitattributes', '.npmrc', '.envrc', '.huskyrc', '.replit']);
/** Names of files before their ending, also with a further part: `azure-pipelines-1.yml`, `buildspec.test.yml`. */
const stems = [
  ...['.gitlab-ci', '.travis', '.drone', '.woodpecker', '.appveyor', 'appveyor', '.cirrus', '.build', 'azure-pipelines', '.vsts-ci'],
  ...['bitbucket-pipelines', 'buildspec', 'appspec', 'cloudbuild', 'codemagic', 'bitrise', '.bitrise', '.screwdriver', 'screwdriver'],
  ...['wercker', '.scrutinizer', '.gitpod', '.devcontainer', '.yarnrc', '.mcp', '.huskyrc', '.overcommit', '.pre-commit-config'],
  ...['lefthook', '.lefthook', 'simple-git-hooks', '.simple-git-hooks'],
];
const endings: ReadonlySet<string> = new Set([
  ...['.yml', '.yaml', '.toml', '.json', '.jsonnet', '.star', '.js', '.cjs', '.mjs', '.dockerfile'],
]);
const pipelineOfJenkins = 'jenkinsfile';
/** Endings of a text about a pipeline. */
const documents: ReadonlySet<string> = new Set(['.md', '.txt']);

/** Tells whether a file runs by itself once it is in a repository, at any depth and in any case. */
export function isAutomation(path: string): boolean {
  const names = path.toLowerCase().split('/');
  const last = names.at(-1) ?? '';
  const ending = posix.extname(last);
  const isStem = endings.has(ending) && stems.some((stem) => isOfStem(last.slice(0, -ending.length), stem));
  const isJenkins = isOfStem(last, pipelineOfJenkins) && !documents.has(ending);
  return isStem || isJenkins || files.has(last) || names.slice(0, -1).some((name) => folders.has(name));
}

function isOfStem(name: string, stem: string): boolean {
  return name === stem || name.startsWith(`${stem}-`) || name.startsWith(`${stem}.`);
}
