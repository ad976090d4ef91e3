import { hostsOnce, maxHostsOnce } from '../../contract/runner.ts';
import type { ProxyRefusal } from './registry-proxy.ts';

/** More refused hosts than these are counted (an install step can ask for any number). */
const maxHosts = 20;

/** `host`: in the form that addresses have, or empty. */
const reasons = {
  unlisted: (host) => `${host} is not in the list of registries. The operator of the runner sets it: ARTEL_RUNNER_REGISTRIES.`,
  private: (host) =>
    `${host} leads into a private network. The operator of the runner may name its address: ARTEL_RUNNER_REGISTRIES=${host}=10.0.0.1.`,
  plain: (host) => `${host} was asked for something that is not encrypted, or hides whom it is for. Use an address with https.`,
  name: (host) => `a connection to ${host} asked for another host there.`,
} satisfies Record<ProxyRefusal, (host: string) => string>;

/** Collects the hosts that an install step has asked for and was refused, each once. */
export class RefusedHosts {
  readonly #found = new Map<string, string>();
  /** Those that are in no list, as one names them. */
  readonly #unlisted = new Set<string>();
  #more = 0;

  add(host: string, why: ProxyRefusal): void {
    const key = `${why} ${host}`;
    if (this.#found.has(key)) return;
    if (why === 'unlisted' && isNameOfHost(host) && this.#unlisted.size < maxHostsOnce) this.#unlisted.add(host);
    if (this.#found.size >= maxHosts) this.#more += 1;
    else this.#found.set(key, reasons[why](host === '' ? 'A host' : host));
  }

  /** Returns the hosts that a person may open for one job: the first names of hosts outside the list. Addresses are none. */
  unlisted(): string[] {
    return [...this.#unlisted];
  }

  /** Returns one line for each host; empty without any. */
  text(): string {
    const lines = [...this.#found.values()].map((line) => `The runner refused a connection: ${line}\n`);
    return lines.join('') + (this.#more > 0 ? `The runner refused ${this.#more} more.\n` : '');
  }
}

/** Whether it is a name that the list could have, and no address: the last part of an address is a number. */
function isNameOfHost(host: string): boolean {
  return hostsOnce.safeParse([host]).success && !/\.\d+(:\d+)?$/.test(host) && !/(^|\.)localhost(:\d+)?$/.test(host);
}
