import type pg from 'pg';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { VersionService } from '../../projects/index.ts';
import { type AccountFile, type AccountTable, accountFiles, accountTables, type ExportedTable } from '../account-tables.ts';
import { entryName, entryPath } from './entry-names.ts';
import { jsonById, jsonList, jsonObject, jsonOne } from './json-pieces.ts';
import { readmeOf } from './readme.ts';
import { createRowReader, type ReadRows } from './table-reader.ts';
import type { ZipStream } from './zip-stream.ts';

export type ExportDeps = {
  pool: Pick<pg.Pool, 'query'>;
  /** Runs each query, in the turn of the account. */
  inTurn: <T>(query: () => Promise<T>) => Promise<T>;
  /** Returns a whole canvas as it was; null for a version that is not kept any more. */
  version: (userId: OwnerId, projectId: string, version: number) => Promise<object | null>;
};

/** Reads the versions of an export; null for one that is not kept any more. */
export function versionsForExport(versions: Pick<VersionService, 'version'>): ExportDeps['version'] {
  return (userId, projectId, version) =>
    versions.version(userId, projectId, version, 'en').catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'version_removed') return null;
      throw error;
    });
}

/** The bytes of a file that a run has moved and that is not text. */
const movedContent = `SELECT coalesce(content, convert_to(text, 'UTF8')) AS content FROM files_of_sets
  WHERE set_id = (SELECT input_set_id FROM executions WHERE id = $1) AND path = $2`;

const tables = Object.entries(accountTables) as [AccountTable, ExportedTable][];

/**
 * Writes everything that an account has stored into a ZIP, as JSON and files. Each query reads one page: what is written meanwhile may be in it or not.
 * Rejects when the client has gone. G8.06
 */
export async function exportAccount(
  deps: ExportDeps,
  zip: Pick<ZipStream, 'add'>,
  { userId, language }: { userId: OwnerId; language: Language },
): Promise<void> {
  const readRows = await createRowReader(deps.pool, deps.inTurn);
  const writer = new AccountWriter(deps, zip, readRows, userId);
  await zip.add('README.txt', [readmeOf(language)]);
  for (const file of accountFiles) await writer.writeAccountFile(file);
  await writer.writeProjects();
}

/** Writes the parts of one account. */
class AccountWriter {
  readonly #deps: ExportDeps;
  readonly #zip: Pick<ZipStream, 'add'>;
  readonly #rows: ReadRows;
  readonly #userId: OwnerId;

  constructor(deps: ExportDeps, zip: Pick<ZipStream, 'add'>, rows: ReadRows, userId: OwnerId) {
    this.#deps = deps;
    this.#zip = zip;
    this.#rows = rows;
    this.#userId = userId;
  }

  async writeAccountFile(file: AccountFile): Promise<void> {
    for (const [table, exported] of tables) {
      if (exported.place !== 'account' || exported.file !== file) continue;
      const { of, hides = [], addresses = [] } = exported;
      const rows = this.#rows({ table, of, hides, addresses, id: this.#userId });
      await this.#zip.add(`${file}.json`, file === 'account' ? jsonOne(rows) : jsonList(rows));
    }
  }

  async writeProjects(): Promise<void> {
    for await (const { id, name } of this.#parsed<{ id: string; name: string }>('projects', 'user_id = $1', this.#userId, ['id', 'name'])) {
      const folder = `projects/${entryName(name, id)}`;
      await this.#zip.add(`${folder}/project.json`, this.#partsOf('project', id));
      await this.#zip.add(`${folder}/canvas.json`, this.#canvas(id));
      await this.#writeNamedVersions(folder, id);
      await this.#writeInputFiles(folder, id);
      await this.#writeRuns(folder, id);
    }
  }

  /** One JSON object with the rows of all tables of a place. */
  #partsOf(place: 'project' | 'run', id: string) {
    return jsonObject(
      tables.flatMap(([table, exported]) => {
        if (exported.place !== place) return [];
        const { field, of, hides = [], addresses = [], isOne = false } = exported;
        const rows = this.#rows({ table, of, hides, addresses, id });
        return [[field, isOne ? jsonOne(rows) : jsonList(rows)] as const];
      }),
    );
  }

  /** The canvas in the form of the API. */
  #canvas(projectId: string) {
    const rows = (table: AccountTable) => this.#rows({ table, of: 'project_id = $1', id: projectId, columns: ['id', 'value'] });
    return jsonObject([
      ['nodes', jsonById(rows('canvas_nodes'))],
      ['connections', jsonById(rows('canvas_connections'))],
    ]);
  }

  async #writeNamedVersions(folder: string, projectId: string): Promise<void> {
    type Mark = { version: number; name: string };
    for await (const { version, name } of this.#parsed<Mark>('canvas_marks', 'project_id = $1', projectId, ['version', 'name'])) {
      const document = await this.#deps.version(this.#userId, projectId, version);
      const path = `${folder}/versions/${entryName(name, String(version))}.json`;
      await this.#zip.add(path, [JSON.stringify(document ?? { version, isKept: false })]);
    }
  }

  async #writeInputFiles(folder: string, projectId: string): Promise<void> {
    const of = 'set_id IN (SELECT id FROM input_sets WHERE project_id = $1)';
    for (const [table, place] of [
      ['input_files', 'inputs'],
      ['replaced_git_files', 'replaced-inputs'],
    ] as const) {
      for await (const { set_id, path } of this.#parsed<{ set_id: string; path: string }>(table, of, projectId, ['set_id', 'path'])) {
        // Null: a binary file of a repository is stored by its hash alone.
        const content = await this.#bytes(
          `SELECT coalesce(content, convert_to(text, 'UTF8')) AS content FROM ${table} WHERE set_id = $1 AND path = $2`,
          [set_id, path],
        );
        if (content) await this.#zip.add(`${folder}/${place}/${set_id.slice(-12)}/${entryPath(path)}`, [content]);
      }
    }
  }

  async #writeRuns(folder: string, projectId: string): Promise<void> {
    type Run = { id: string; created_at: string };
    for await (const { id, created_at } of this.#parsed<Run>('executions', 'project_id = $1', projectId, ['id', 'created_at'])) {
      const place = `${folder}/runs/${entryName(created_at.slice(0, 10), id)}`;
      await this.#zip.add(`${place}/run.json`, this.#partsOf('run', id));
      await this.#writeRunFiles(place, id);
    }
  }

  /** The last version of each file of a run, and the earlier ones beside them. A file that the run has removed has only earlier ones. */
  async #writeRunFiles(folder: string, executionId: string): Promise<void> {
    type Written = { path: string; step_id: string; order_index: number; removed: boolean; moved_from: string | null };
    const columns = ['path', 'step_id', 'order_index', 'removed', 'moved_from'];
    let same: Written[] = [];
    const writeVersions = async () => {
      const last = same.reduce<Written | null>((newest, one) => (newest && newest.order_index >= one.order_index ? newest : one), null);
      for (const one of same) {
        const text = 'SELECT content FROM execution_files WHERE execution_id = $1 AND path = $2 AND step_id = $3';
        const written = await this.#bytes(text, [executionId, one.path, one.step_id]);
        const isMoved = written === null && !one.removed && one.moved_from !== null;
        const content = isMoved ? await this.#bytes(movedContent, [executionId, one.moved_from ?? '']) : written;
        const place = one === last ? 'files' : `earlier-files/${one.order_index}-${one.step_id.slice(-12)}`;
        if (content) await this.#zip.add(`${folder}/${place}/${entryPath(one.path)}`, [content]);
      }
    };
    for await (const row of this.#parsed<Written>('execution_files', 'execution_id = $1', executionId, columns)) {
      if (same[0] && same[0].path !== row.path) {
        await writeVersions();
        same = [];
      }
      same.push(row);
    }
    await writeVersions();
  }

  async *#parsed<T>(table: AccountTable, of: string, id: string, columns: readonly string[]): AsyncGenerator<T> {
    for await (const row of this.#rows({ table, of, id, columns })) yield JSON.parse(row) as T;
  }

  /** Null for a file that has no content, or was removed meanwhile. */
  async #bytes(text: string, values: readonly string[]): Promise<string | Uint8Array | null> {
    const { rows } = await this.#deps.inTurn(() => this.#deps.pool.query<{ content: string | Buffer | null }>(text, [...values]));
    return rows[0]?.content ?? null;
  }
}
