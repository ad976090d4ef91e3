import { z } from 'zod';
import type { InstallNeeds } from '../../contract/runner.ts';
import type { Manifests } from './manifest-recipes.ts';

/** What is named for one host. */
const maxNames = 5;
const maxName = 200;

const packageLock = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ resolved: z.string().catch('') }).catch({ resolved: '' })),
});

/**
 * Returns hosts with what wants them, as far as lock files and manifests say: packages of npm that come from there, else the files that name
 * the host. They are read before the install step begins, which may change them.
 */
export function wantedBy(hosts: readonly string[], files: Manifests): InstallNeeds['hosts'] {
  const atTop = [...files].filter(([name]) => !name.includes('/'));
  const resolved = resolvedPackages(files);
  return hosts.map((host) => {
    const packages = resolved.filter((one) => one.host === host).map(({ name }) => name);
    const naming = atTop.filter(([, bytes]) => bytes.includes(host)).map(([name]) => name);
    const names = packages.length > 0 ? packages : naming;
    return { host, wantedBy: [...new Set(names)].slice(0, maxNames).map((name) => name.slice(0, maxName)) };
  });
}

function resolvedPackages(files: Manifests): { name: string; host: string }[] {
  const text = (files.get('package-lock.json') ?? files.get('npm-shrinkwrap.json'))?.toString('utf8') ?? '';
  try {
    const { packages } = packageLock.parse(JSON.parse(text));
    return Object.entries(packages).flatMap(([path, { resolved }]) => {
      const url = URL.parse(resolved.replace(/^git\+/, ''));
      return url ? [{ name: path.split('node_modules/').at(-1) ?? path, host: url.host }] : [];
    });
  } catch {
    // There is none, or npm does not understand it either.
    return [];
  }
}
