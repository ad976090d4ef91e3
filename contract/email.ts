import { z } from 'zod';

/** The part of the global class that is used; its type belongs to the browser and to Node. */
declare const URL: new (text: string) => { readonly hostname: string };

/**
 * An email address in one spelling: in lower case, composed (NFC), its domain in punycode. `Ivan@почта.рф` and `ivan@xn--80a1acny.xn--p1ai` are the
 * same account. G8.34
 */
export const email = z
  .string()
  .max(1_000)
  .transform(canonicalEmail)
  .pipe(
    z
      .string()
      .max(254)
      .refine(isCanonical, { params: { rule: 'email' } }),
  );

/** Whether a text is an email address in any spelling. */
export function isEmail(text: string): boolean {
  return email.safeParse(text).success;
}

/** Letters of any alphabet, digits and a few signs, in words with dots between them. */
const localPart = /^[\p{L}\p{M}\p{N}_'+-]+(?:\.[\p{L}\p{M}\p{N}_'+-]+)*$/u;
const label = /^[a-z0-9][a-z0-9-]*$/;
const topLevel = /^(?:[a-z]+|xn--[a-z0-9-]+)$/;
/** Characters that a label of a domain may have. */
const maxLabelLength = 63;

function isCanonical(address: string): boolean {
  const at = address.lastIndexOf('@');
  const labels = address.slice(at + 1).split('.');
  const last = labels.at(-1) ?? '';
  const areLabels = labels.every((one) => one.length <= maxLabelLength && label.test(one));
  return localPart.test(address.slice(0, Math.max(at, 0))) && labels.length > 1 && areLabels && last.length > 1 && topLevel.test(last);
}

const hasPunycode = /(?:^|\.)xn--/;
const ascii = /^[ -~]*$/;

function canonicalEmail(written: string): string {
  const text = written.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@') + 1;
  const domain = text.slice(at);
  return text.slice(0, at) + (ascii.test(domain) && !hasPunycode.test(domain) ? domain : asciiDomain(domain));
}

/** Returns a domain in punycode by the rules of the URL standard, or as it is when it is none: then the address is refused. */
function asciiDomain(domain: string): string {
  if (!/^[\p{L}\p{M}\p{N}.。-]+$/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return `${domain}?`;
  }
}
