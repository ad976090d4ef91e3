import { excerpt, excerptBelowHeading } from '../markdown/excerpt.ts';

/** The length of a message in the list of runs (characters). W2.21 */
const messageLength = 100;

/** Returns the task as one line of the list. */
export function shortRequest(text: string): string {
  return excerpt(text, messageLength) || text.trim().slice(0, messageLength);
}

/** Returns the result as one line of the list: the summary, else the result's beginning. */
export function shortOutcome(summary: string, result: string): string {
  return excerpt(summary, messageLength) || excerptBelowHeading(result, messageLength);
}
