import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/api-error.ts';
import { failureNote } from '../../../src/api/failure-note.ts';

const errors = [{ path: 'email', message: 'Not an email' }];

test('P5.05 a 400 is noted with what is wrong and the body that was sent, without its secrets', () => {
  const error = new ApiError({ status: 400, code: 'bad_request', message: 'Bad request', errors });
  const body = { email: 'anna', password: 'семь раз отмерь', more: { refreshToken: 'r1', apiKey: 'sk-1', name: 'Анна' } };
  const note = failureNote(error, 'auth.register', body);
  expect(note).toContain('email: Not an email');
  expect(JSON.parse(note.slice(note.indexOf('{')))).toEqual({
    email: 'anna',
    password: '***',
    more: { refreshToken: '***', apiKey: '***', name: 'Анна' },
  });
});

test('P5.05 only a 400 with a list is noted with its body', () => {
  const note = failureNote(new ApiError({ status: 409, code: 'conflict', message: 'Conflict', errors }), 'project.create', { name: 'x' });
  expect(note).toBe('project.create: Conflict');
});

test('P8.01 a call beyond its limit is noted as a timeout', () => {
  expect(failureNote(new ApiError({ status: 0, code: 'timeout', message: 'x' }), 'auth.login', {})).toBe('auth.login: timeout');
});

test('P4.06 a refused token is noted and kept, and a wrong password is no refused token', () => {
  const refused = new ApiError({ status: 401, code: 'token_expired', message: 'Expired' });
  expect(failureNote(refused, 'auth.profile', undefined)).toContain('tokens are kept');
  expect(failureNote(refused, 'auth.login', undefined)).toBe('auth.login: Expired');
});
