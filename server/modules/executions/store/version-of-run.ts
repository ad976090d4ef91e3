import type { executions } from './tables.ts';

/** The version that the agents and settings of a run are read from; null for those of now. */
export function versionOfRun({
  fromVersion,
  teamVersionId,
}: Pick<typeof executions.$inferSelect, 'fromVersion' | 'teamVersionId'>): string | null {
  return fromVersion ? teamVersionId : null;
}
