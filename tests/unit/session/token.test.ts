import { describe, expect, test } from 'vitest';
import { checkToken, decodeToken, userFromToken } from '../../../src/session/token.ts';
import { tokenOf } from './token-of.ts';

const now = 1_800_000_000_000;

describe('an access token', () => {
  test('P5.01 an absent access token is invalid', () => {
    expect(checkToken(null, now)).toEqual({ valid: false, reason: 'absent' });
    expect(checkToken('', now)).toEqual({ valid: false, reason: 'absent' });
  });

  test.each(['a.b', 'a.b.c.d', `${tokenOf({ sub: 'u' })}.more`, 'noparts'])(
    'P5.01 an access token without three parts is invalid: %s',
    (token) => {
      expect(checkToken(token, now)).toEqual({ valid: false, reason: 'malformed' });
    },
  );

  test('P5.01 an access token whose payload does not decode is invalid', () => {
    expect(checkToken('head.!!!.sign', now)).toEqual({ valid: false, reason: 'malformed' });
    expect(checkToken(`head.${btoa('not json')}.sign`, now)).toEqual({ valid: false, reason: 'malformed' });
  });

  test('P5.01 an access token whose exp has passed is invalid, and a token without exp is valid', () => {
    expect(checkToken(tokenOf({ sub: 'u', exp: now / 1000 - 1 }), now)).toEqual({ valid: false, reason: 'expired' });
    expect(checkToken(tokenOf({ sub: 'u', exp: now / 1000 + 1 }), now).valid).toBe(true);
    expect(checkToken(tokenOf({ sub: 'u' }), now).valid).toBe(true);
  });

  test('P5.01 an access token without a user identifier is still valid', () => {
    expect(checkToken(tokenOf({ name: 'Анна' }), now)).toMatchObject({ valid: true, hasUserId: false });
  });
});

describe('the user of a token', () => {
  test.each([{ nameid: 'u1' }, { sub: 'u1' }, { userId: 'u1' }])('P3.02 the user of a token gets the id from %o', (payload) => {
    expect(userFromToken(payload)).toMatchObject({ id: 'u1', tokenValid: true });
  });

  test('P3.02 the user of a token gets the name from name, else unique_name, else the email', () => {
    expect(userFromToken({ sub: 'u', name: 'Анна', unique_name: 'anna', email: 'a@b.c' }).name).toBe('Анна');
    expect(userFromToken({ sub: 'u', unique_name: 'anna', email: 'a@b.c' }).name).toBe('anna');
    expect(userFromToken({ sub: 'u', email: 'a@b.c' }).name).toBe('a@b.c');
  });

  test('P3.02 the user of a token is read from UTF-8 in the URL-safe alphabet', () => {
    expect(decodeToken(tokenOf({ sub: 'u', name: 'Ёжик ÿÿ>>??' }))?.name).toBe('Ёжик ÿÿ>>??');
  });
});
