import type { ToolServerProblem } from '../../../contract/tool-server.ts';

/** A tool server that could not be talked to. */
export class McpFailed extends Error {
  readonly reason: ToolServerProblem;
  /** What the other side said, shortened. It is data. */
  readonly said: string | null;

  constructor(reason: ToolServerProblem, { said = null, cause }: { said?: string | null; cause?: unknown } = {}) {
    super(`The tool server failed: ${reason}.`, { cause });
    this.name = 'McpFailed';
    this.reason = reason;
    this.said = said;
  }
}
