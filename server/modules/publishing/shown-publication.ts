import { type GitTarget, gitTarget, type Publication, publication } from '../../../contract/executions/publishing.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { GitTargetRow, PublicationRow } from './repository.ts';

const showTarget = viewOf(gitTarget);
const showPublication = viewOf(publication);

export function toTarget(row: GitTargetRow): GitTarget {
  const { authorName: name, authorEmail: email } = row;
  return showTarget(row, { author: name !== null && email !== null ? { name, email } : null, hasToken: row.tokenSealed !== null });
}

/** `projectBase` is the base of a publication from before it could be chosen. */
export function toPublication(row: PublicationRow, projectBase: string, language: Language): Publication {
  const { requestUrl, requestNumber, problem, problemText } = row;
  const said = problemText ? ` ${translate(language, 'publish.said', { text: problemText })}` : '';
  return showPublication(row, {
    base: row.baseBranch ?? projectBase,
    pullRequest: requestUrl === null || requestNumber === null ? null : { url: requestUrl, number: requestNumber },
    problem: problem && `${translate(language, `publish.request_${problem}`)}${said}`,
  });
}
