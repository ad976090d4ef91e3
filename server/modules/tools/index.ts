/** The public interface of the tools module: what agents can call in a run. */
export type { BaseTree } from './base-tree.ts';
export { createFetchTool } from './fetch-tool.ts';
export { createFileTools } from './file-tools.ts';
export type { RunTool, ToolContext, ToolProvider, ToolResult, ToolStep, ToolTests } from './run-tool.ts';
export { failed, fill, refusedHere, schemaTool, toolWords } from './schema-tool.ts';
