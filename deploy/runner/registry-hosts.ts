import { isIP } from 'node:net';
import { isMetadataAddress } from '../../server/platform/egress/address-rules.ts';
import { isListedHost, isTooWide } from '../../server/platform/egress/listed-hosts.ts';

/** A host that install steps reach. `address`: where a private network has it, as the operator says; null for what a name server says. */
export type RegistryHost = { host: string; address: string | null };

/** The registries of the package managers that install steps use. */
const usualRegistries = [
  ...['registry.npmjs.org', 'registry.yarnpkg.com', 'repo.yarnpkg.com', 'npm.jsr.io'],
  ...['pypi.org', 'files.pythonhosted.org'],
  ...['index.crates.io', 'static.crates.io'],
  ...['proxy.golang.org', 'sum.golang.org'],
  ...['rubygems.org', 'index.rubygems.org'],
  ...['repo.maven.apache.org', 'repo1.maven.org', 'plugins.gradle.org'],
];

/** The word that stands for the usual registries in the operator's list. */
const usual = 'usual';
const httpsPort = '443';

/**
 * Reads the operator's list: `usual, *.example.com, registry.example.com:8443, npm.example.com=10.1.2.3`. Returns null where an entry is not one of
 * these forms, or leads to loopback or a metadata service.
 */
export function readRegistries(list: string): RegistryHost[] | null {
  const hosts: RegistryHost[] = [];
  for (const entry of list.split(',').map((one) => one.trim().toLowerCase())) {
    if (entry === '') continue;
    if (entry === usual) {
      hosts.push(...usualRegistries.map((host) => ({ host, address: null })));
      continue;
    }
    const [, host = '', address = null] = /^((?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)(?:=([\d.]+))?$/.exec(entry) ?? [];
    if (host === '' || isIP(host.split(':')[0] ?? '') !== 0 || isTooWide(host)) return null;
    if (address !== null && (host.startsWith('*.') || !isOperatorAddress(address))) return null;
    hosts.push({ host: host.replace(new RegExp(`:${httpsPort}$`), ''), address });
  }
  return hosts;
}

/** Returns the entry that opens a host and port, one with an address before the others; null where none does. */
export function findRegistry({ host, port }: { host: string; port: string }, hosts: readonly RegistryHost[]): RegistryHost | null {
  const asked = port === httpsPort ? host : `${host}:${port}`;
  const found = hosts.filter((one) => isListedHost(asked, [one.host]));
  return found.find((one) => one.address !== null) ?? found[0] ?? null;
}

function isOperatorAddress(address: string): boolean {
  return isIP(address) === 4 && !isMetadataAddress(address) && !/^(127|0|22[4-9]|2[3-5]\d)\./.test(address);
}
