/** Folders that CI servers, Git hooks and editors run by themselves, in lower case. */
const folders = [
  ...['.github', '.gitlab', '.gitea', '.forgejo', '.circleci', '.buildkite', '.woodpecker', '.teamcity', '.azure-pipelines'],
  ...['.builds', '.semaphore', '.tekton', '.husky', '.githooks', '.devcontainer', '.vscode', '.idea'],
];
/** Files that have one name only. */
const files = ['jenkinsfile', '.gitmodules', '.gitattributes', '.npmrc', '.envrc'];
/** Names of files before their ending. */
const stems = [
  ...['.gitlab-ci', '.travis', '.drone', '.woodpecker', '.appveyor', 'appveyor', '.cirrus', '.build', 'azure-pipelines'],
  ...['bitbucket-pipelines', 'buildspec', 'cloudbuild', '.pre-commit-config', '.devcontainer', '.yarnrc'],
  ...['lefthook', '.lefthook', 'lefthook-local', '.lefthook-local'],
];
const ending = /\.(ya?ml|toml|json|jsonnet|star)$/;

/** Tells whether a file runs by itself once it is in a repository, at any depth and in any case. */
export function isAutomation(path: string): boolean {
  const names = path.toLowerCase().split('/');
  const last = names.at(-1) ?? '';
  const isStem = ending.test(last) && stems.includes(last.replace(ending, ''));
  return isStem || files.includes(last) || names.slice(0, -1).some((name) => folders.includes(name));
}
