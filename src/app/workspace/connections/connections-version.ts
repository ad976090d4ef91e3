import { ObservableValue } from '../../../state/observable.ts';

/** Grows with each change of a connection on this page. Components that show connections read them again when it grows. */
export const connectionsVersion = new ObservableValue(0);

export function invalidateConnections(): void {
  connectionsVersion.set(connectionsVersion.get() + 1);
}
