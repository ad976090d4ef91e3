import { withoutTrailingSlashes } from '../../contract/without-trailing-slashes.ts';

/** The timeout of diagnostic probes and health checks (ms). */
export const probeTimeoutMs = 5_000;

type ServerConfig = { name: 'local' | 'production' | 'fallback'; apiBase: string };

type ServerEnvironment = {
  /** The page's origin, such as `https://artel.example`. */
  origin: string;
  VITE_API_PRODUCTION?: string | undefined;
  VITE_API_FALLBACK?: string | undefined;
  /** In development, a page falls back to the local server when its own server does not answer. */
  development: boolean;
};

const local: ServerConfig = { name: 'local', apiBase: 'http://localhost:5001/api' };

/** Returns the servers to try, the primary first: the configured one, else the page's own; then the fallback if there is one. */
export function serverConfigs(environment: ServerEnvironment): [ServerConfig, ...ServerConfig[]] {
  const production: ServerConfig = {
    name: 'production',
    apiBase: apiBase(environment.VITE_API_PRODUCTION, environment.origin) ?? `${environment.origin}/api`,
  };
  const fallback = apiBase(environment.VITE_API_FALLBACK, environment.origin);
  if (fallback) return [production, { name: 'fallback', apiBase: fallback }];
  return environment.development ? [production, local] : [production];
}

/** Returns the first healthy server; the primary when none is healthy. */
export async function chooseServer(
  configs: readonly [ServerConfig, ...ServerConfig[]],
  isHealthy: (config: ServerConfig) => Promise<boolean>,
): Promise<ServerConfig> {
  const [primary, ...others] = configs;
  if (others.length === 0) return primary;
  for (const config of configs) {
    if (await isHealthy(config)) return config;
  }
  return primary;
}

/** Returns the URL of a server's health check: on its origin, outside the API's base. */
export function healthUrl(base: string): string {
  return new URL('/health', base).href;
}

export type Health = { healthy: boolean /** Round trip, ms. */; ms: number };

/** Checks a server's health. Never throws. */
export async function probeHealth(base: string, fetcher: typeof fetch, now: () => number): Promise<Health> {
  const from = now();
  try {
    const response = await fetcher(healthUrl(base), { signal: AbortSignal.timeout(probeTimeoutMs), cache: 'no-store' });
    return { healthy: response.ok, ms: Math.round(now() - from) };
  } catch {
    return { healthy: false, ms: Math.round(now() - from) };
  }
}

function apiBase(setting: string | undefined, origin: string): string | null {
  if (!setting?.trim()) return null;
  const url = new URL(setting.trim(), origin);
  return withoutTrailingSlashes(url.href);
}
