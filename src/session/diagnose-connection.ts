import { callUrl } from '../api/call-url.ts';
import { type Health, probeHealth, probeTimeoutMs } from './server-choice.ts';

/** The diagnosis of a server that the page could not reach. */
export type Diagnosis = {
  server: Health;
  /** Whether CORS allows this page to call the server, by the result of a preflight request. */
  preflight: 'passed' | 'failed';
  /** A page over HTTPS cannot call over HTTP. In that case the same server is also tried over HTTPS. */
  mixedContent: 'none' | 'blocked' | 'https-answers';
};

type Probe = {
  apiBase: string;
  /** The call that failed, such as `/auth/login`. */
  path: string;
  /** The page's own protocol, with its colon: `https:`. */
  pageProtocol: string;
  fetcher: typeof fetch;
  /** The page's clock (ms). */
  now: () => number;
};

/** Diagnoses "Failed to fetch": server health, preflight and mixed content, at most 5 s each. Never throws. P8.02 P7.04 */
export async function diagnoseConnection({ apiBase, path, pageProtocol, fetcher, now }: Probe): Promise<Diagnosis> {
  const [server, preflight, mixedContent] = await Promise.all([
    probeHealth(apiBase, fetcher, now),
    sendPreflight(callUrl(apiBase, path), fetcher),
    checkMixedContent(),
  ]);
  return { server, preflight, mixedContent };

  async function checkMixedContent(): Promise<Diagnosis['mixedContent']> {
    if (pageProtocol !== 'https:' || !apiBase.startsWith('http:')) return 'none';
    const secure = await probeHealth(apiBase.replace(/^http:/, 'https:'), fetcher, now);
    return secure.healthy ? 'https-answers' : 'blocked';
  }
}

async function sendPreflight(url: string, fetcher: typeof fetch): Promise<Diagnosis['preflight']> {
  try {
    await fetcher(url, { method: 'OPTIONS', signal: AbortSignal.timeout(probeTimeoutMs), cache: 'no-store' });
    return 'passed';
  } catch {
    return 'failed';
  }
}
