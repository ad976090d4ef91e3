import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { type ServerText, translate } from '../../http/language.ts';
import { commonPasswords } from './common-passwords.ts';

/** Throws `password_weak` for a password that is the email or a common one. The contract checks its length. */
export function checkPassword(password: string, email: string, language: Language, path = 'password'): void {
  const plain = password.trim().toLowerCase();
  const fault: ServerText | null = isEmail(plain, email) ? 'field.password_is_email' : isCommon(plain) ? 'field.password_common' : null;
  if (fault) throw new ApiError('password_weak', { errors: [{ path, message: translate(language, fault) }] });
}

function isEmail(plain: string, email: string): boolean {
  return plain === email || plain === email.split('@')[0];
}

/** Whether a password is on the list, or repeats one character or short group. */
function isCommon(plain: string): boolean {
  return commonPasswords.has(plain) || isRepeated(plain);
}

const maxGroupLength = 4;

/** True for a text that is one group of at most four characters, written twice or more. */
export function isRepeated(text: string): boolean {
  const characters = [...text];
  for (let size = 1; size <= Math.min(maxGroupLength, characters.length / 2); size += 1) {
    if (characters.length % size === 0 && characters.every((character, at) => character === characters[at % size])) return true;
  }
  return false;
}
