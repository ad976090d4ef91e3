/** The demo request as it stands in the form. */
export type LeadDraft = { name: string; email: string; company: string; role: string; comment: string; consent: boolean };

export const emptyLead: LeadDraft = { name: '', email: '', company: '', role: '', comment: '', consent: false };

/** What the form's own fields hold, by their names. */
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

/** How much the server takes of each field, in characters. P5.03 */
export const leadLimits = { name: 120, email: 254, company: 200, role: 200, comment: 200 } as const;

/** Addresses that the server takes too: the schemas themselves are too heavy for this page, and a test compares the two. */
const address = /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@(?:[A-Za-z\d][A-Za-z\d-]*\.)+[A-Za-z]{2,}$/;

export function isEmail(text: string): boolean {
  return text.length <= leadLimits.email && address.test(text);
}

/** True when it may be sent: name, email and consent are there, and the comment is not too long. P5.03 */
export function isCompleteLead({ name, email, comment, consent }: LeadDraft): boolean {
  return name.trim() !== '' && isEmail(email.trim()) && consent && comment.length <= leadLimits.comment;
}

/**
 * Returns the draft with the chosen plan's sentence as its comment, where the comment is empty or still the sentence of the plan
 * chosen before; what the visitor wrote stays.
 */
export function withPlanComment(draft: LeadDraft, sentence: string, before: string | null): LeadDraft {
  const mayBeFilled = draft.comment.trim() === '' || draft.comment === before;
  return mayBeFilled ? { ...draft, comment: sentence } : draft;
}
