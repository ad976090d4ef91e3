import { CheckedDocument, type KnownAgent, type UncheckedDocument, type ValidationProblem } from './checked-document.ts';

/**
 * Returns every rule that the document breaks, errors before warnings, each once and with the node or link it is about.
 * Without a list of server agents nothing is said about them. Warnings never stop a run. W5.04 W5.05
 */
export function validateDocument(document: UncheckedDocument, agents: readonly KnownAgent[] | null): ValidationProblem[] {
  return new CheckedDocument(document, agents).problems();
}
