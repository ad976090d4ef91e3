import type { InstallStep } from './dependencies.ts';
import { socketIn } from './install-network.ts';
import { RefusedHosts } from './refused-hosts.ts';
import { openRegistryProxy } from './registry-proxy.ts';
import type { RunnerSettings } from './runner-settings.ts';
import type { JobNetwork } from './sandboxed-command.ts';

/** Executes a command in the sandbox of a job, and returns its exit code. */
export type Execute = (command: string, network: JobNetwork, variables: Record<string, string>) => Promise<number>;

type InstallDeps = {
  settings: Pick<RunnerSettings, 'hasNetwork' | 'registries' | 'parentProxy' | 'installVariables'>;
  /** The folder in which the job finds the socket of the proxy. */
  proxyFolder: string;
  execute: Execute;
  onLog: (text: string) => Promise<void>;
  signal: AbortSignal;
};

const noNetwork =
  ' It has no network: the runner downloads first, and executes the scripts of packages afterwards. The cure is a package that its registry has' +
  ' as a whole, or a runner whose operator gives jobs its network (ARTEL_RUNNER_NETWORK=on).';

/**
 * Downloads with the registries in reach, then executes the scripts of what was downloaded without them. Returns whether both went well. The log says
 * what did not, and which hosts were asked for and refused.
 */
export async function carryOutInstall({ download, build }: InstallStep, deps: InstallDeps): Promise<boolean> {
  const isDownloaded = await downloadThroughProxy(download, deps);
  return isDownloaded && (build === null || (await carryOut(build, 'own', deps)));
}

/** The proxy is gone when the scripts of packages begin. */
async function downloadThroughProxy(command: string, deps: InstallDeps): Promise<boolean> {
  const { settings, proxyFolder, onLog, signal } = deps;
  if (settings.hasNetwork) return carryOut(command, 'machine', deps);
  const refused = new RefusedHosts();
  const proxy = await openRegistryProxy({
    socket: socketIn(proxyFolder),
    hosts: settings.registries,
    parent: settings.parentProxy,
    onRefused: (host, why) => refused.add(host, why),
  });
  try {
    return await carryOut(command, 'registries', deps);
  } finally {
    await proxy.close();
    if (!signal.aborted && refused.text() !== '') await onLog(refused.text());
  }
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
