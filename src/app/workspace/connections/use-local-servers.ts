import { useState } from 'react';
import type { LocalServer, ModelConnection } from '../../../../contract/model-connection.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';
import { useRead } from '../../server-data/use-read.ts';

/** The key of the stored servers that are not offered again, by their addresses. */
const dismissedKey = 'connections:dismissed';

const none: readonly LocalServer[] = [];

/** Returns the servers of models that run on this computer and were not dismissed. `offered`: those that are not connected. M3.29 */
export function useLocalServers() {
  const found = useRead('modelConnection.local', {}).value ?? none;
  const [dismissed, setDismissed] = useState(() => new Set(readStored(dismissedKey)?.split(' ') ?? []));
  const kept = found.filter(({ address }) => !dismissed.has(address));
  const offered = (connections: readonly ModelConnection[]) => kept.filter((one) => !isConnected(one, connections));
  const dismiss = (address: string) => {
    const next = new Set([...dismissed, address]);
    writeStored(dismissedKey, [...next].join(' '));
    setDismissed(next);
  };
  return { isFound: kept.length > 0, offered, dismiss };
}

/** A connection without an address is at the usual one. */
export function isConnected({ provider, address }: LocalServer, connections: readonly ModelConnection[]): boolean {
  return connections.some((one) => one.provider === provider && (one.address === null || portOf(one.address) === portOf(address)));
}

function portOf(address: string): string {
  return URL.canParse(address) ? new URL(address).port : '';
}
