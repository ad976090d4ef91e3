import type { StorageKind } from '../../../contract/storage.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { measuredRows } from './measured-tables.ts';

export type Measured = { kinds: Record<StorageKind, number>; bytes: number };
/** The account's bytes in all, and the age of their measurement (ms). */
export type Reserved = { total: number; ageMs: number };

/** Reserved bytes whose process has not died. */
const live = 'CASE WHEN reserved_until > now() THEN reserved ELSE 0 END';

/** The statements about the storage of one account. Each is short, and holds its row no longer than itself. */
export function storageStatements(run: RunStatement, measuring: RunStatement) {
  return {
    /**
     * Adds `stored` bytes, and reserves `reserved` more, if both fit below `limit`. Returns null if they do not fit, or if the account was never
     * measured.
     */
    async reserve(
      userId: OwnerId,
      { stored, reserved, limit }: { stored: number; reserved: number; limit: number },
    ): Promise<Reserved | null> {
      const [row] = await run({
        text: `UPDATE storage_uses SET bytes = bytes + $2::bigint, added = added + $2::bigint, reserved = ${live} + $3::bigint,
            reserved_until = CASE WHEN $3::bigint > 0 THEN now() + interval '5 minutes' ELSE reserved_until END
          WHERE user_id = $1 AND bytes + ${live} + $2::bigint + $3::bigint <= $4::bigint
          RETURNING bytes + reserved AS total, extract(epoch FROM now() - measured_at) * 1000 AS age`,
        values: [userId, stored, reserved, limit],
      });
      return row ? { total: Number(row.total), ageMs: Number(row.age) } : null;
    },

    /** Ends a reservation: `stored` bytes of it are stored. */
    async settle(userId: OwnerId, { reserved, stored }: { reserved: number; stored: number }): Promise<void> {
      await run({
        text: `UPDATE storage_uses SET reserved = greatest(0, reserved - $2::bigint), bytes = bytes + $3::bigint, added = added + $3::bigint
          WHERE user_id = $1`,
        values: [userId, reserved, stored],
      });
    },

    /** Measures what the account stores. What is added while it is measured stays counted. */
    async measure(userId: OwnerId): Promise<Measured> {
      const [row] = await measuring({
        text: `INSERT INTO storage_uses AS use (user_id, kinds, bytes, added, measured_at)
          SELECT $1, jsonb_object_agg(kind, bytes), sum(bytes), coalesce((SELECT added FROM storage_uses WHERE user_id = $1), 0), now()
            FROM (SELECT kind, sum(bytes)::bigint AS bytes FROM (${measuredRows}) AS tables GROUP BY kind) AS kinds
          ON CONFLICT (user_id) DO UPDATE SET kinds = excluded.kinds, bytes = excluded.bytes + use.added - excluded.added,
            measured_at = excluded.measured_at
          RETURNING kinds, bytes`,
        values: [userId],
      });
      return { kinds: row?.kinds as Measured['kinds'], bytes: Number(row?.bytes ?? 0) };
    },
  };
}
