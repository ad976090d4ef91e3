import { type Closing, closeInOrder } from '../../../server/close-in-order.ts';
import { makeLogger } from '../../../server/logging.ts';
import { openServer } from '../../../server/open-server.ts';
import { readOperatorServers } from '../../../server/platform/mcp/operator-servers.ts';
import { openPriceList } from '../../../server/platform/prices/price-list.ts';
import { readSettings, settingNames } from '../../../server/settings.ts';
import { makeServerEnvironment } from './server-environment.ts';

/** A server of a test, in the test's process or in one of its own. */
export type RunningServer = {
  /** Without a slash at the end. */
  url: string;
  dataDir: string;
  /** The server's log so far. */
  logs: () => string;
  /** Stops the server, and removes what was made for it. */
  stop: () => Promise<void>;
};

/**
 * Starts a server in the process of the test, and resolves when it is ready. The modules of the server are loaded once for all files of a
 * worker, so a start takes 0.2 s of a processor in place of 0.65.
 */
export async function openTestServer({ env: given = {} }: { env?: Record<string, string> } = {}): Promise<RunningServer> {
  if (given.NODE_OPTIONS !== undefined) throw new Error('NODE_OPTIONS need a process of its own: `ownProcess`.');
  const { env, dataDir, remove } = await makeServerEnvironment({ env: given });
  const closings: Closing[] = [];
  const lines: string[] = [];
  const stop = async () => {
    await closeInOrder(closings.splice(0).reverse(), (about, line) => lines.push(`${line} ${JSON.stringify(about)}\n`));
    await remove();
  };
  try {
    const settings = readSettings(env);
    const log = makeLogger(settings.logLevel, { write: (line) => void lines.push(line) }, settings.proxies.secrets);
    const { address } = await openServer({
      environment: env,
      settings,
      operatorServers: readOperatorServers(settings.toolServersFile, env, settingNames),
      prices: openPriceList(settings.pricesFile),
      log,
      closings,
      note: (line) => log.warn(line),
      signal: new AbortController().signal,
    });
    return { url: address.replace('//localhost', '//127.0.0.1'), dataDir, logs: () => lines.join(''), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
