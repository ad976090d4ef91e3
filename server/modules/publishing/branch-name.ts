const maxWords = 40;
/** The prefix of a project without a repository. */
export const usualPrefix = 'artel/';

/** Returns the branch of a run: the first words of its task, and the end of its id. */
export function branchName(prefix: string, task: string, executionId: string): string {
  const words =
    task
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const named = words.reduce((name, word) => (name.length + word.length < maxWords ? `${name}${word}-` : name), '');
  return `${prefix}${named || 'run-'}${executionId.slice(-12)}`;
}
