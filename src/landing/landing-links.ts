const { VITE_TERMS_URL, VITE_CONTACTS_URL, VITE_CONTACT_EMAIL, VITE_MESSENGER_URL } = import.meta.env;

export const privacyPath = '/privacy-policy';

/** The address of the demonstration for visitors without an account. */
export const demoLink = '/public-test';

/** The address of the form that requests a demo. */
export const requestLink = '#request-demo-form';

/** The operator's email address, or null. */
export const contactEmail = textOf(VITE_CONTACT_EMAIL);

export type FooterLink = { key: 'privacy' | 'terms' | 'contacts' | 'mail' | 'messenger'; target: string | null };

/** Links with targets from the operator's settings; one without a target is plain text. */
export const footerLinks: readonly FooterLink[] = [
  { key: 'privacy', target: privacyPath },
  { key: 'terms', target: textOf(VITE_TERMS_URL) },
  { key: 'contacts', target: textOf(VITE_CONTACTS_URL) },
  { key: 'mail', target: contactEmail && `mailto:${contactEmail}` },
  { key: 'messenger', target: textOf(VITE_MESSENGER_URL) },
];

function textOf(setting: unknown): string | null {
  return typeof setting === 'string' && setting.trim() !== '' ? setting.trim() : null;
}
