import { z } from 'zod';

/** The file by which a runner tells servers of its machine and user how to reach it: in the data folder, readable by that user alone. */
export const localRunnerFile = {
  name: 'runner.json',
  content: z.object({ port: z.number().int().min(1).max(65_535), token: z.string().min(16).max(200) }),
};

/** What a runner installs before a command: what lock files or else manifests name, what lock files name, or nothing. */
export const installPolicies = ['manifest', 'lock', 'off'] as const;
export type InstallPolicy = (typeof installPolicies)[number];
/** The same as it is stored: none stands for the usual one. */
export const installs = z.enum(['lock', 'off']);

/** A host as a list of registries names it: with a dot, and its port unless it is the usual one. */
const registryHost = z
  .string()
  .max(255)
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[1-9]\d{0,4})?$/);

/** The hosts that a runner opens for one job when a person allows it, at most. */
export const maxHostsOnce = 5;

/** What an install step has asked for in vain: hosts outside the list of registries, with the packages or files that want each, as far as they are known. */
export const installNeeds = z.object({
  /** The command of the install step. */
  step: z.string().max(1_000),
  hosts: z
    .array(z.object({ host: registryHost, wantedBy: z.array(z.string().max(200)).max(5) }))
    .min(1)
    .max(maxHostsOnce),
});
export type InstallNeeds = z.infer<typeof installNeeds>;

/** The hosts that a person has allowed a job, in a request to a runner. */
export const hostsOnce = z.array(registryHost).max(maxHostsOnce);

/** What a runner says of itself. */
export const runnerAbout = z.object({
  sandbox: z.enum(['bubblewrap', 'container']),
  /** Whether test commands have a network. */
  network: z.boolean(),
});

/** The runner that executes tests of this server, and the one that it could have. */
export const runnerState = z.object({
  /** `operator`: the runner of the server's settings; `local`: a runner of this machine; null: nothing is executed. */
  connected: z.enum(['operator', 'local']).nullable(),
  /** Whether the caller may connect a runner of this machine: on a server of this machine alone, from this machine, as its staff. */
  mayConnect: z.boolean(),
  /** The runner that answers on this machine now. Null for none, and for callers who may not connect it. */
  local: runnerAbout.nullable(),
});
export type RunnerState = z.infer<typeof runnerState>;
