/** The public interface of the tools module: what agents can call in a run. */

export { createFetchTool } from './fetch-tool.ts';
export { createFileTools } from './files/file-tools.ts';
export { createSearchThread } from './files/search-thread.ts';
export { isUnseen } from './files/unseen-version.ts';
export type { RunTool, ToolContext, ToolProvider, ToolResult, ToolStep, ToolTests } from './run-tool.ts';
export { failed, fill, refusedHere, schemaTool, toolWords } from './schema-tool.ts';
