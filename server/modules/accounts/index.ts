/** The public interface of the accounts module: the export of an account, and its deletion. */

export type { StoredTable } from './account-tables.ts';
export { exportAccount, versionsForExport } from './export/export-account.ts';
export { createExportLinks } from './export/export-links.ts';
export { ExportService } from './export/export-service.ts';
export { createZipStream } from './export/zip-stream.ts';
export { accountHandlers } from './handlers.ts';
export { type FoundAccount, fenceWork, findAccount, lockAccount } from './lock-account.ts';
export { removeAccount } from './remove-account.ts';
export { createStopWork } from './stop-work.ts';
export { createLeavingWatch } from './watch-leaving.ts';
