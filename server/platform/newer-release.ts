import type { Logger } from 'pino';
import { z } from 'zod';
import { elapsed } from './clock.ts';
import { createEgress } from './egress/egress.ts';
import type { Proxies } from './egress/proxies.ts';

/** A release after the one that runs, with the page of its notes. */
type Release = { version: string; notes: string };

type NewerReleaseDeps = {
  /** The version that runs. */
  version: string;
  /** The repository of the package; null where it names none. */
  repository: string | null;
  settings: { updateCheck: boolean; updateUrl: string | null; proxies: Proxies };
  log: Pick<Logger, 'debug'>;
  /** Milliseconds of a clock that never jumps. */
  now?: () => number;
  /** The longest wait for the file (ms). */
  readMs?: number;
};

const dayMs = 24 * 60 * 60 * 1_000;
const maxBytes = 1024 * 1024;

const file = z.object({
  tag_name: z.string(),
  html_url: z.url({ protocol: /^https?$/ }).max(500),
  draft: z.boolean().default(false),
  prerelease: z.boolean().default(false),
});

/**
 * Returns a function that tells a newer release, or null. The file of the newest one is read when a person asks, at most once a day on each node, so that
 * an idle server makes no call. Only the version is sent. A failed look is repeated a day later; what was known stays.
 */
export function createNewerRelease({
  version,
  repository,
  settings,
  log,
  now = elapsed,
  readMs = 5_000,
}: NewerReleaseDeps): () => Promise<Release | null> {
  const source = settings.updateCheck ? sourceOf(repository, settings.updateUrl) : null;
  if (source === null) return async () => null;
  const times = { idleTimeoutMs: readMs, totalTimeoutMs: readMs };
  const egress = createEgress({ allowPrivate: settings.updateUrl !== null, proxies: settings.proxies, ...times });
  let newer: Release | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;
  let looking = Promise.resolve();
  const look = async () => {
    try {
      const answer = await egress(source.address, {
        headers: { accept: 'application/json', 'user-agent': `artel/${version}` },
        maxBytes,
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`The file of the newest release was answered with ${answer.status}.`);
      newer = releaseIn(JSON.parse(text), source.hosts, version);
    } catch (error) {
      log.debug({ err: error }, 'The newest release could not be read');
    }
  };
  return async () => {
    if (now() >= nextAt) {
      nextAt = now() + dayMs;
      looking = look();
    }
    await looking;
    return newer;
  };
}

/** Where the newest release is told, and the hosts that may have its notes. */
function sourceOf(repository: string | null, mirror: string | null): { address: string; hosts: string[] } | null {
  const [, owner, name] = /(?:^github:|github\.com[/:])([\w-]+)\/([\w.-]+?)(?:\.git)?$/.exec(repository ?? '') ?? [];
  const hosts = name === undefined ? [] : ['github.com'];
  if (mirror !== null) return { address: mirror, hosts: [...hosts, new URL(mirror).host] };
  return name === undefined ? null : { address: `https://api.github.com/repos/${owner}/${name}/releases/latest`, hosts };
}

/**
 * Returns the release of the file if it is newer; null for an older one, for a draft or a trial, and where the own version is no release. Throws for a
 * file that is none.
 */
function releaseIn(value: unknown, hosts: readonly string[], version: string): Release | null {
  const { tag_name: tag, html_url: notes, draft, prerelease } = file.parse(value);
  const { host, username, password } = new URL(notes);
  if (!hosts.includes(host)) throw new Error('The notes of the newest release are on another host.');
  if (username || password) throw new Error('The address of the notes of the newest release has a name or a password.');
  if (draft || prerelease) return null;
  const found = partsOf(tag);
  const own = partsOf(version);
  if (!found) throw new Error('The tag of the newest release is no version.');
  if (!own) return null;
  const at = found.findIndex((part, place) => part !== own[place]);
  return at !== -1 && (found[at] ?? 0) > (own[at] ?? 0) ? { version: found.join('.'), notes } : null;
}

/** The three numbers of a version. */
function partsOf(version: string): number[] | null {
  return /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version)?.slice(1).map(Number) ?? null;
}
