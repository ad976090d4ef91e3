import type { InstallStep } from './dependencies.ts';
import { socketIn } from './install-network.ts';
import { RefusedHosts } from './refused-hosts.ts';
import { readRegistries } from './registry-hosts.ts';
import { openRegistryProxy } from './registry-proxy.ts';
import type { RunnerSettings } from './runner-settings.ts';
import type { JobNetwork } from './sandboxed-command.ts';

/** Executes a command in the sandbox of a job, and returns its exit code. */
export type Execute = (command: string, network: JobNetwork, variables: Record<string, string>) => Promise<number>;

type InstallDeps = {
  settings: Pick<RunnerSettings, 'hasNetwork' | 'registries' | 'parentProxy' | 'asksForHosts' | 'installVariables'>;
  /** Hosts beyond the list that a person has allowed this job. */
  hosts: readonly string[];
  /** The folder in which the job finds the socket of the proxy. */
  proxyFolder: string;
  execute: Execute;
  onLog: (text: string) => Promise<void>;
  signal: AbortSignal;
};

const noNetwork =
  ' It has no network: the runner downloads first, and executes the scripts of packages afterwards. The cure is a package that its registry has' +
  ' as a whole, or a runner whose operator gives jobs its network (ARTEL_RUNNER_NETWORK=on).';

/** How an install step ended. `refused`: hosts that it was refused, and that a person may allow it. */
type InstallEnd = { isInstalled: true } | { isInstalled: false; refused: readonly string[] };

/**
 * Downloads with the registries in reach, then executes the scripts of what was downloaded without them. The log says what did not go well, and which
 * hosts were asked for and refused.
 */
export async function carryOutInstall({ download, build }: InstallStep, deps: InstallDeps): Promise<InstallEnd> {
  const downloaded = await downloadThroughProxy(download, deps);
  if (!downloaded.isInstalled || build === null) return downloaded;
  return endOf(await carryOut(build, 'own', deps));
}

function endOf(isInstalled: boolean, refused: readonly string[] = []): InstallEnd {
  return isInstalled ? { isInstalled } : { isInstalled, refused };
}

/** The proxy is gone when the scripts of packages begin. */
async function downloadThroughProxy(command: string, deps: InstallDeps): Promise<InstallEnd> {
  const { settings, hosts, proxyFolder, onLog, signal } = deps;
  if (settings.hasNetwork) return endOf(await carryOut(command, 'machine', deps));
  const mayAsk = mayOpenHosts(settings);
  // Names alone, which the runner resolves: it refuses private addresses.
  const allowed = mayAsk ? hosts.flatMap((host) => readRegistries(host) ?? []) : [];
  const refused = new RefusedHosts();
  const proxy = await openRegistryProxy({
    socket: socketIn(proxyFolder),
    hosts: [...settings.registries, ...allowed],
    parent: settings.parentProxy,
    onRefused: (host, why) => refused.add(host, why),
  });
  try {
    const isInstalled = await carryOut(command, 'registries', deps);
    return endOf(isInstalled, mayAsk ? refused.unlisted() : []);
  } finally {
    await proxy.close();
    if (!signal.aborted && refused.text() !== '') await onLog(refused.text());
  }
}

/** Through the operator's own proxy the runner does not see where a name leads, so the list alone says what is reached. */
function mayOpenHosts({ asksForHosts, parentProxy }: Pick<RunnerSettings, 'asksForHosts' | 'parentProxy'>): boolean {
  return asksForHosts && parentProxy === null;
}

async function carryOut(command: string, network: JobNetwork, { settings, execute, onLog, signal }: InstallDeps): Promise<boolean> {
  await onLog(`$ ${command}\n`);
  const code = await execute(command, network, settings.installVariables);
  if (signal.aborted || code === 0) return true;
  const lack = code === 127 ? ' The runner lacks a program that the step names.' : '';
  const cure = network === 'own' && !settings.hasNetwork ? noNetwork : '';
  await onLog(`The install step ended with code ${code}.${lack}${cure} The test command was not executed.\n`);
  return false;
}
