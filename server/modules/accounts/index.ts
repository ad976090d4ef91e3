/** The public interface of the accounts module: the export of an account, and its deletion. */

export { createExportLinks } from './export/export-links.ts';
export { ExportService } from './export/export-service.ts';
export { accountHandlers } from './handlers.ts';
export { removeAccount } from './remove-account.ts';
export { createStopWork } from './stop-work.ts';
export { createLeavingWatch } from './watch-leaving.ts';
