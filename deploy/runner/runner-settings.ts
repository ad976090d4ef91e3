import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type RegistryHost, readRegistries } from './registry-hosts.ts';

const whole = (initial: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be from 1 to ${max}`)
    .default(initial);

const variables = z.object({
  DATA_DIR: z.string().default('data'),
  ARTEL_RUNNER_HOST: z.string().default('127.0.0.1'),
  ARTEL_RUNNER_PORT: whole(5_002, 65_535),
  ARTEL_RUNNER_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  ARTEL_RUNNER_SANDBOX: z.enum(['bubblewrap', 'container'], 'must be bubblewrap or container').default('bubblewrap'),
  ARTEL_RUNNER_NETWORK: z.enum(['on', 'off'], 'must be on or off').default('off'),
  ARTEL_RUNNER_INSTALL: z.string().max(1_000).optional(),
  ARTEL_RUNNER_INSTALL_VARIABLES: z
    .string()
    .regex(
      /^(?!ARTEL_)[A-Za-z_]\w*(,(?!ARTEL_)[A-Za-z_]\w*)*$/,
      'must be names of variables with commas between them, and none of the runner',
    )
    .default('NODE_EXTRA_CA_CERTS,NODE_USE_SYSTEM_CA,SSL_CERT_FILE'),
  ARTEL_RUNNER_REGISTRIES: z
    .string()
    .max(10_000)
    .transform((list, context) => {
      const hosts = readRegistries(list);
      if (hosts === null)
        context.addIssue('must be names of hosts with commas between them, or usual, each with =address for a private one');
      return hosts ?? z.NEVER;
    })
    .prefault('usual'),
  ARTEL_RUNNER_ASK: z.enum(['on', 'off'], 'must be on or off').default('on'),
  ARTEL_RUNNER_READABLE: z.string().default(''),
  ARTEL_RUNNER_WORK_DIR: z.string().optional(),
  ARTEL_RUNNER_JOBS: whole(2, 64),
  ARTEL_RUNNER_MEMORY_MB: whole(4_096, 1_000_000),
  ARTEL_RUNNER_DISK_MB: whole(4_096, 1_000_000),
  ARTEL_RUNNER_FREE_DISK_MB: whole(1_024, 1_000_000),
  ARTEL_RUNNER_PROCESSES: whole(512, 100_000),
  ARTEL_RUNNER_LOG_MB: whole(30, 1_000),
  ARTEL_RUNNER_CACHE_MB: whole(8_192, 1_000_000),
});

export type RunnerSettings = {
  host: string;
  port: number;
  /** Null: the runner makes one and leaves it in the data folder for a server of this machine. */
  token: string | null;
  sandbox: 'bubblewrap' | 'container';
  /** Whether commands have the network of the machine, also in the install step. */
  hasNetwork: boolean;
  /** The hosts that an install step reaches otherwise. */
  registries: readonly RegistryHost[];
  /** Whether a person of a run may open further hosts for one job. */
  asksForHosts: boolean;
  /** The proxy to the internet through which it reaches them; null for none. Commands are told of the runner's own alone. */
  parentProxy: URL | null;
  /** Replaces the install steps that follow from lock files; `off` for none. */
  install: string | null;
  /** Variables of the runner that the install step has, for example the certificates of a proxy. */
  installVariables: Record<string, string>;
  /** Folders beside those of the system that commands may read. */
  readable: readonly string[];
  dataDir: string;
  /** The folder of the jobs. The runner empties it when it starts. */
  workDir: string;
  maxJobs: number;
  limits: JobLimits;
  maxCacheBytes: number;
};

/** `freeDiskBytes`: what jobs leave free of a disk, for the server and others. */
export type JobLimits = { memoryBytes: number; diskBytes: number; freeDiskBytes: number; processes: number; logBytes: number };

/** In a container each job has a folder of its own in the place of the one for temporary files. */
/** The path of a socket has at most 107 bytes, and that of a job is below this folder. */
const maxWorkDirBytes = 90;
const places = { bubblewrap: tmpdir(), container: '/var/lib' };
const parentProxyName = 'HTTPS_PROXY';
const mebibyte = 1024 * 1024;

/** Reads the settings, or throws an error with one line that names the first wrong variable. Never shows a value. */
export function readRunnerSettings(env: Record<string, string | undefined>): RunnerSettings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const { success, data, error } = variables.safeParse(given);
  if (!success) throw new Error(`${String(error.issues[0]?.path[0])} ${error.issues[0]?.message}.`);
  const isLoopback = data.ARTEL_RUNNER_HOST === '::1' || data.ARTEL_RUNNER_HOST.startsWith('127.');
  if (!isLoopback && data.ARTEL_RUNNER_TOKEN === undefined)
    throw new Error('ARTEL_RUNNER_TOKEN must be set where other machines reach the runner.');
  const workDir = resolve(data.ARTEL_RUNNER_WORK_DIR ?? join(places[data.ARTEL_RUNNER_SANDBOX], `artel-runner-${data.ARTEL_RUNNER_PORT}`));
  if (Buffer.byteLength(workDir) > maxWorkDirBytes) throw new Error(`ARTEL_RUNNER_WORK_DIR must have at most ${maxWorkDirBytes} bytes.`);
  const hasNetwork = data.ARTEL_RUNNER_NETWORK === 'on';
  return {
    host: data.ARTEL_RUNNER_HOST,
    port: data.ARTEL_RUNNER_PORT,
    token: data.ARTEL_RUNNER_TOKEN ?? null,
    sandbox: data.ARTEL_RUNNER_SANDBOX,
    hasNetwork,
    registries: data.ARTEL_RUNNER_REGISTRIES,
    asksForHosts: data.ARTEL_RUNNER_ASK === 'on',
    parentProxy: readParentProxy(data.ARTEL_RUNNER_INSTALL_VARIABLES.split(','), given),
    install: data.ARTEL_RUNNER_INSTALL ?? null,
    installVariables: Object.fromEntries(
      data.ARTEL_RUNNER_INSTALL_VARIABLES.split(',').flatMap((name) =>
        // Without its own network a job has the proxy of the runner alone.
        given[name] === undefined || (name === parentProxyName && !hasNetwork) ? [] : [[name, given[name]]],
      ),
    ),
    readable: data.ARTEL_RUNNER_READABLE.split(':')
      .filter(Boolean)
      .map((folder) => resolve(folder)),
    dataDir: resolve(data.DATA_DIR),
    workDir,
    maxJobs: data.ARTEL_RUNNER_JOBS,
    limits: {
      memoryBytes: data.ARTEL_RUNNER_MEMORY_MB * mebibyte,
      diskBytes: data.ARTEL_RUNNER_DISK_MB * mebibyte,
      freeDiskBytes: data.ARTEL_RUNNER_FREE_DISK_MB * mebibyte,
      processes: data.ARTEL_RUNNER_PROCESSES,
      logBytes: data.ARTEL_RUNNER_LOG_MB * mebibyte,
    },
    maxCacheBytes: data.ARTEL_RUNNER_CACHE_MB * mebibyte,
  };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readParentProxy(names: readonly string[], given: Record<string, string | undefined>): URL | null {
  const address = names.includes(parentProxyName) ? given[parentProxyName] : undefined;
  if (address === undefined) return null;
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' || !isEncoded(`${url.username}${url.password}`))
    throw new Error(`${parentProxyName} must be an address with http, and its password encoded.`);
  return url;
}
