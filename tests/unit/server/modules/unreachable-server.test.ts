import { expect, test } from 'vitest';
import { toProblem } from '../../../../server/modules/connections/to-api.ts';

const problem = { reason: 'unreachable', detail: '' } as const;

test('D9.10 a server of models that cannot be reached is named, but the address of the operator is not', () => {
  const own = { provider: 'openai', address: 'http://user:secret@models.example:8080/v1' } as const;
  expect(toProblem(problem, 'en', own)?.message).toBe('models.example:8080 cannot be reached.');
  expect(toProblem(problem, 'ru', own)?.message).toBe('models.example:8080 недоступен.');
  expect(toProblem(problem, 'en', { provider: 'openai', address: null })?.message).toBe('api.openai.com cannot be reached.');
  expect(toProblem(problem, 'en', null)?.message).toBe('The server cannot be reached.');
  expect(toProblem(null, 'en', own)).toBeNull();
});
