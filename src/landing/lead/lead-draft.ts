/** The values of the demo request's form. */
export type LeadDraft = { name: string; email: string; company: string; role: string; comment: string; consent: boolean };

export const emptyLead: LeadDraft = { name: '', email: '', company: '', role: '', comment: '', consent: false };

/** The values of the form's own fields, by their names. */
export function writtenLead(fields: FormData): LeadDraft {
  const text = (name: string) => String(fields.get(name) ?? '');
  return {
    name: text('name'),
    email: text('email'),
    company: text('company'),
    role: text('role'),
    comment: text('comment'),
    consent: fields.has('consent'),
  };
}

/** The server's maximum of each field (characters). P5.03 */
export const leadLimits = { name: 120, email: 254, company: 200, role: 200, comment: 200 } as const;

/** The addresses that the server accepts: the schemas are too large for this page, and a test compares the two. */
const address = /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@(?:[A-Za-z\d][A-Za-z\d-]*\.)+[A-Za-z]{2,}$/;

export function isEmail(text: string): boolean {
  return text.length <= leadLimits.email && address.test(text);
}

/** True when it can be sent: with name, email and consent, and a comment that is not too long. P5.03 */
export function isCompleteLead({ name, email, comment, consent }: LeadDraft): boolean {
  return name.trim() !== '' && isEmail(email.trim()) && consent && comment.length <= leadLimits.comment;
}

/**
 * Returns the draft with the chosen plan's sentence as its comment, where the comment is empty or the sentence of the plan
 * chosen before. The visitor's own text stays.
 */
export function withPlanComment(draft: LeadDraft, sentence: string, before: string | null): LeadDraft {
  const mayBeFilled = draft.comment.trim() === '' || draft.comment === before;
  return mayBeFilled ? { ...draft, comment: sentence } : draft;
}
