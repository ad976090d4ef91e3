import { expect, test } from 'vitest';
import { asTyped } from '../../../server/as-typed.ts';
import { plainReason } from '../../../server/plain-reason.ts';

const failure = (about: object, message = 'refused') => Object.assign(new Error(message), about);

test.each([
  [failure({ code: 'ENOSPC', path: '/data/secret.key' }), 'the disk is full: /data/secret.key cannot be written.'],
  [failure({ code: 'ENOSPC' }), 'the disk is full.'],
  [failure({ code: 'EDQUOT' }), 'the disk is full.'],
  [new Error('Failed query', { cause: failure({ code: '53100' }) }), 'the disk of the database is full.'],
  [failure({ code: 'EROFS', path: '/data' }), '/data is on a read-only file system.'],
  [failure({ code: 'EACCES', path: '/data/database.key' }), 'this account has no right to /data/database.key.'],
  [failure({ code: 'EPERM', path: '/data' }), 'this account has no right to /data.'],
  [
    failure({ code: 'EACCES', syscall: 'listen' }, 'listen EACCES: permission denied 0.0.0.0:80'),
    'listen EACCES: permission denied 0.0.0.0:80',
  ],
  [
    failure({ code: 'EADDRINUSE', syscall: 'listen' }, 'listen EADDRINUSE: address already in use 127.0.0.1:80'),
    'listen EADDRINUSE: address already in use 127.0.0.1:80. Stop what listens there, or set another PORT.',
  ],
  [
    failure({ code: 'EADDRNOTAVAIL', syscall: 'listen' }, 'listen EADDRNOTAVAIL: address not available 1.2.3.4:80'),
    'listen EADDRNOTAVAIL: address not available 1.2.3.4:80. Set HOST to an address of this machine.',
  ],
  [failure({}, 'Two\n  lines\n'), 'Two lines'],
  [
    new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')]),
    'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
  ],
])('R10.01 a failure is reported in one plain line: %#', (error, line) => {
  expect(plainReason(error)).toBe(line);
});

test('a refusal names the option of artel that was typed, and the setting where it came from the environment', () => {
  const line = 'set another PORT or DATA_DIR, not EXPORT or HOST.';
  expect(asTyped(line, '')).toBe(line);
  expect(asTyped(line, 'PORT=--port DATA_DIR=--data')).toBe('set another --port or --data, not EXPORT or HOST.');
});
