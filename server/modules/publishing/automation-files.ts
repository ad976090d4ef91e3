/** Folders and files that CI servers, Git hooks and editors run by themselves, in lower case. */
const folders = [
  ...['.github', '.gitlab', '.gitea', '.forgejo', '.circleci', '.buildkite', '.woodpecker', '.teamcity', '.azure-pipelines'],
  ...['.husky', '.githooks', '.devcontainer', '.vscode', '.idea'],
];
const files = [
  ...['.gitlab-ci.yml', '.gitlab-ci.yaml', '.travis.yml', '.drone.yml', '.woodpecker.yml', '.appveyor.yml', 'appveyor.yml', '.cirrus.yml'],
  ...['jenkinsfile', 'azure-pipelines.yml', 'azure-pipelines.yaml', 'bitbucket-pipelines.yml', 'buildspec.yml', 'cloudbuild.yaml'],
  ...['.pre-commit-config.yaml', '.lefthook.yml', 'lefthook.yml', '.gitmodules', '.gitattributes', '.npmrc', '.yarnrc.yml', '.envrc'],
];

/** Tells whether a file runs by itself once it is in a repository, at any depth and in any case. */
export function isAutomation(path: string): boolean {
  const names = path.toLowerCase().split('/');
  const last = names.at(-1) ?? '';
  return files.includes(last) || names.slice(0, -1).some((name) => folders.includes(name));
}
