import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { localRunnerFile, type RunnerState, runnerAbout } from '../../../contract/runner.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Db } from '../../platform/database/database.ts';
import { createEgress, type Egress } from '../../platform/egress/egress.ts';
import { createHttpRunner } from '../../platform/runner/http-runner.ts';
import type { Runner } from '../../platform/runner/runner.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { localRunner } from './tables.ts';

type RunnersDeps = {
  db: Db;
  secrets: Pick<SecretBox, 'seal' | 'open'>;
  /** The runner of the settings; no other one is used beside it. */
  operator: { url: string; token: string } | null;
  /** Whether programs of this machine alone reach the server. */
  isLocalOnly: boolean;
  /** The data folder, in which a runner of this machine and user leaves its address. */
  dataDir: string;
};

/** Who calls. Staff of a server of this machine alone is its first account, for requests of this machine. */
type Caller = { isStaff: boolean; isLocal: boolean };
type LocalAddress = z.infer<typeof localRunnerFile.content>;

/** A runner serves no other calls than these. One that works tells so every few seconds. */
const runnerEgress = { allowPrivate: true, proxies: null, idleTimeoutMs: 60_000 };
/** The time that a runner of this machine has to say what it is (ms). */
const aboutMs = 1_000;
const sealedFor = 'local_runner';

/**
 * The runner that executes tests: the one of the settings, else one of this machine that a person has connected by a press. A server that
 * others can reach has only the first.
 */
export class Runners {
  readonly #deps: RunnersDeps;
  readonly #egress: Egress = createEgress(runnerEgress);

  constructor(deps: RunnersDeps) {
    this.#deps = deps;
  }

  /** Returns the runner as it is connected now; null for none. */
  async current(): Promise<Runner | null> {
    const at = this.#deps.operator ?? (await this.#connected());
    return at && createHttpRunner({ ...at, egress: this.#egress });
  }

  async isConnected(): Promise<boolean> {
    return this.#deps.operator !== null || (await this.#connected()) !== null;
  }

  async state(caller: Caller): Promise<RunnerState> {
    const mayConnect = this.#mayConnect(caller);
    const connected = this.#deps.operator ? 'operator' : (await this.#connected()) ? 'local' : null;
    return { connected, mayConnect, local: mayConnect ? ((await this.#find())?.about ?? null) : null };
  }

  /** Connects the runner that answers on this machine. Fails with `not_found` where none does. */
  async connect(caller: Caller): Promise<RunnerState> {
    if (!this.#mayConnect(caller)) throw new ApiError('forbidden');
    const found = orNotFound(await this.#find());
    const { port, token } = found.address;
    const row = { port, tokenSealed: this.#deps.secrets.seal(token, sealedFor) };
    await this.#deps.db
      .insert(localRunner)
      .values({ id: true, ...row })
      .onConflictDoUpdate({ target: localRunner.id, set: row });
    return this.state(caller);
  }

  async disconnect(caller: Caller): Promise<void> {
    if (!this.#mayConnect(caller)) throw new ApiError('forbidden');
    await this.#deps.db.delete(localRunner);
  }

  #mayConnect({ isStaff, isLocal }: Caller): boolean {
    return this.#deps.operator === null && this.#deps.isLocalOnly && isStaff && isLocal;
  }

  async #connected(): Promise<{ url: string; token: string } | null> {
    const { db, secrets, isLocalOnly } = this.#deps;
    if (!isLocalOnly) return null;
    const [row] = await db.select().from(localRunner);
    const token = row && secrets.open(row.tokenSealed, sealedFor);
    return row && token ? { url: urlAt(row.port), token } : null;
  }

  async #find(): Promise<{ address: LocalAddress; about: z.infer<typeof runnerAbout> } | null> {
    try {
      const address = localRunnerFile.content.parse(JSON.parse(await readFile(join(this.#deps.dataDir, localRunnerFile.name), 'utf8')));
      const answer = await this.#egress(urlAt(address.port), {
        headers: { authorization: `Bearer ${address.token}` },
        signal: AbortSignal.timeout(aboutMs),
      });
      return answer.ok ? { address, about: runnerAbout.parse(JSON.parse(await answer.text())) } : null;
    } catch {
      // Most machines have none.
      return null;
    }
  }
}

/** By its number: no name server has a say in it. */
function urlAt(port: number): string {
  return `http://127.0.0.1:${port}/jobs`;
}
