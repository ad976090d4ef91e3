import { excerpt, excerptBelowHeading } from '../console/conversation/excerpt.ts';

/** Characters of a message that the list of runs keeps. W2.21 */
const messageLength = 100;

/** What was asked, in one line of the list. */
export function shortRequest(text: string): string {
  return excerpt(text, messageLength) || text.trim().slice(0, messageLength);
}

/** What came of it, in one line of the list: the summary, else how the result begins. */
export function shortOutcome(summary: string, result: string): string {
  return excerpt(summary, messageLength) || excerptBelowHeading(result, messageLength);
}
