import type { GitTarget, Publication } from '../../../contract/executions/publishing.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { GitTargetRow, PublicationRow } from './repository.ts';

export function toTarget(row: GitTargetRow): GitTarget {
  const { url, baseBranch, prefix, forge, authorName, authorEmail, signsOff, paths, tokenSealed, tokenLast4, updatedAt } = row;
  return {
    url,
    baseBranch,
    prefix,
    forge,
    signsOff,
    paths,
    author: authorName !== null && authorEmail !== null ? { name: authorName, email: authorEmail } : null,
    hasToken: tokenSealed !== null,
    tokenLast4,
    updatedAt: updatedAt.toISOString(),
  };
}

/** `projectBase` is the base of a publication from before it could be chosen. */
export function toPublication(row: PublicationRow, projectBase: string, language: Language): Publication {
  const { executionId, url, branch, baseBranch, sha, baseSha, requestUrl, requestNumber, problem, problemText, renamed, publishedAt } = row;
  const said = problemText ? ` ${translate(language, 'publish.said', { text: problemText })}` : '';
  return {
    executionId,
    url,
    branch,
    base: baseBranch ?? projectBase,
    sha,
    baseSha,
    renamed,
    publishedAt: publishedAt.toISOString(),
    pullRequest: requestUrl === null || requestNumber === null ? null : { url: requestUrl, number: requestNumber },
    problem: problem && `${translate(language, `publish.request_${problem}`)}${said}`,
  };
}
