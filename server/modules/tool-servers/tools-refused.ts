import type { ToolChangeRefusal } from '../../../contract/tool-server.ts';
import { ApiError } from '../../http/api-error.ts';

/** A change of a tool server or a tool that is not made, with the reason. */
export class ToolsRefused extends ApiError {
  constructor(reason: ToolChangeRefusal, params: Record<string, string | number> = {}) {
    super('tools_refused', { details: { reason }, params });
  }
}
