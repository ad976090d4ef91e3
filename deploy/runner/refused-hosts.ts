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
  #more = 0;

  add(host: string, why: ProxyRefusal): void {
    const key = `${why} ${host}`;
    if (this.#found.has(key)) return;
    if (this.#found.size >= maxHosts) this.#more += 1;
    else this.#found.set(key, reasons[why](host === '' ? 'A host' : host));
  }

  /** Returns one line for each host; empty without any. */
  text(): string {
    const lines = [...this.#found.values()].map((line) => `The runner refused a connection: ${line}\n`);
    return lines.join('') + (this.#more > 0 ? `The runner refused ${this.#more} more.\n` : '');
  }
}
