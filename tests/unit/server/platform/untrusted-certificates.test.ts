import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import enHooks from '../../../../locales/en/connect.json' with { type: 'json' };
import en from '../../../../locales/en/content/server.json' with { type: 'json' };
import ruHooks from '../../../../locales/ru/connect.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/server.json' with { type: 'json' };
import { problemOfFailure } from '../../../../server/modules/connections/problem-of.ts';
import { toProblem } from '../../../../server/modules/connections/to-api.ts';
import { callReceiver } from '../../../../server/modules/hooks/send-hook.ts';
import { createEgress } from '../../../../server/platform/egress/egress.ts';
import { isUntrustedCertificate } from '../../../../server/platform/egress/untrusted-certificate.ts';
import { failureOfError } from '../../../../server/platform/llm/classify-failure.ts';
import { toMcpFailed } from '../../../../server/platform/mcp/to-mcp-failed.ts';
import { untrustedCertificate } from '../../../support/services/untrusted-certificate.ts';

const server = https.createServer(untrustedCertificate, (_request, response) => response.end());
const egress = createEgress({ allowPrivate: true, proxies: null });
const { signal } = new AbortController();
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

test('M2.13 a self-signed certificate is named by models, tool servers and hooks, and a connection names its host', async () => {
  const error: unknown = await egress(`${url}/v1`).catch((reason: unknown) => reason);
  const problem = problemOfFailure(failureOfError(error, signal, null));
  const told = toProblem(problem, 'en', { provider: 'compatible', address: `${url}/v1` });
  expect(told).toMatchObject({ reason: 'untrusted', message: expect.stringContaining(`The certificate of ${new URL(url).host} is not`) });
  expect(toProblem(problem, 'en', { provider: 'gigachat', address: null })?.message).toMatch(
    /Ministry of Digital Development.* in Help\.$/,
  );
  expect(toProblem(problem, 'ru', { provider: 'gigachat', address: url })?.message).toMatch(/Минцифры.* в справке\.$/);
  expect(toMcpFailed(error).reason).toBe('untrusted');
  expect(await callReceiver(egress, url, { signal, now: () => new Date() })).toEqual({ problem: 'certificate', answerStatus: null });
});

test('M2.13 each sentence about an untrusted certificate names its cure, in both languages', () => {
  for (const words of [en, ru]) {
    const sentences = Object.entries(words).filter(([key]) => /untrusted/.test(key));
    expect(sentences.length).toBeGreaterThanOrEqual(6);
    for (const [, sentence] of sentences) expect(sentence).toContain('NODE_EXTRA_CA_CERTS');
  }
  for (const { problem } of [enHooks, ruHooks]) expect(problem.certificate).toContain('NODE_EXTRA_CA_CERTS');
});

test.each([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('M2.13 %s is an untrusted certificate', (code) => {
  expect(isUntrustedCertificate(code)).toBe(true);
  expect(toMcpFailed(Object.assign(new Error('A certificate.'), { code })).reason).toBe('untrusted');
});
