import { expect, test } from 'vitest';
import { loginProblem } from '../../../src/session/login-problem.ts';
import { translate } from '../../support/browser/translate.ts';

const refused = (status: number, code: string | null = null, message = '') => ({ kind: 'refused', status, code, message }) as const;

test.each([
  [{ kind: 'network' } as const, { code: 'network' }],
  [{ kind: 'timeout' } as const, { code: 'timeout' }],
  [{ kind: 'bad-answer' } as const, { code: 'noToken' }],
  [refused(401, 'invalid_credentials', 'x'), { code: 'invalidCredentials' }],
  [refused(401), { code: 'invalidCredentials' }],
  [refused(403), { code: 'forbidden' }],
  [refused(500, 'internal', 'x'), { code: 'server' }],
  [refused(409, 'email_taken', 'x'), { code: 'emailTaken' }],
  [refused(422, 'password_weak', 'x'), { code: 'passwordWeak' }],
  [refused(403, 'registration_closed', 'x'), { code: 'registrationClosed' }],
  [refused(429, 'too_many_requests', 'x'), { code: 'tooMany' }],
  [refused(418, null, 'Чай закончился'), { code: 'other', message: 'Чай закончился' }],
  [refused(418), { code: 'loginError' }],
])('P8.03 %o is told as %o', (failure, problem) => {
  expect(loginProblem(failure)).toEqual(problem);
});

test.each([
  ['timeout', 'Превышено время ожидания ответа от сервера. Сервер может быть перегружен.'],
  ['invalidCredentials', 'Неверный email или пароль. Проверьте введенные данные.'],
  ['forbidden', 'Доступ запрещен. Обратитесь к администратору.'],
  ['server', 'Внутренняя ошибка сервера. Попробуйте позже.'],
  ['noToken', 'Не получен токен доступа'],
  ['loginError', 'Ошибка входа'],
  ['signInTitle', 'Ошибка входа'],
])('P8.03 P5.02 %s reads as it was agreed, word for word', (code, words) => {
  expect(translate('ru', 'auth', `error.${code}`)).toBe(words);
});
