/**
 * The words with which GitHub, GitLab and Gitea close an issue from a commit or a pull request, and what they may name: a number, one of another
 * repository, or an address. https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue,
 * https://docs.gitlab.com/user/project/issues/managing_issues/#default-closing-pattern, https://docs.gitea.com/usage/issues-prs/automatically-linked-references.
 */
const closing =
  /(?<![\p{L}\p{N}_])((?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|reopen(?:s|ed|ing)?)[\s:>*_]{1,20}(?:issues?[\s:>*_]{1,20})?)((?:[\w.-]{1,100}\/){0,5}[\w.-]{0,100}[#!]|gh-|https?:\/\/)(?=[\p{L}\p{N}])/giu;

/** Returns words of others so that they close no issue where they are quoted: the number behind "fixes" loses its sign, and an address its scheme. */
export function withoutClosing(text: string): string {
  return text.replace(closing, (_, word: string, named: string) => {
    if (named.includes('://')) return word;
    const place = named.slice(0, -1);
    return `${word}${place}${place === '' ? '' : ' '}`;
  });
}
