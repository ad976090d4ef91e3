import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { HostRefused, ResponseTooLong } from '../egress/egress.ts';
import { proxyTrouble } from '../egress/tunnel.ts';
import { isUntrustedCertificate } from '../egress/untrusted-certificate.ts';
import { McpFailed } from './mcp-failed.ts';

const maxSaid = 500;

/** Returns an error of the library, of a socket or of the guard as a failure with its reason. */
export function toMcpFailed(error: unknown): McpFailed {
  if (error instanceof McpFailed) return error;
  const causes: unknown[] = [];
  for (let at = error; typeof at === 'object' && at !== null && causes.length < 8; at = (at as { cause?: unknown }).cause) causes.push(at);
  const inner = causes.find((one) => one instanceof McpFailed);
  if (inner instanceof McpFailed) return inner;
  if (causes.some((one) => one instanceof HostRefused)) return new McpFailed('host', { cause: error });
  if (causes.some((one) => one instanceof ResponseTooLong)) return new McpFailed('too_large', { cause: error });
  if (error instanceof SdkHttpError) {
    const { status } = error;
    return new McpFailed(status === 401 || status === 403 ? 'unauthorized' : 'status', { said: `HTTP ${status}`, cause: error });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return new McpFailed('timeout', { cause: error });
  if (error instanceof ProtocolError) return new McpFailed('protocol', { said: error.message.slice(0, maxSaid), cause: error });
  const said = proxyTrouble(error);
  if (said !== null) return new McpFailed('unreachable', { said, cause: error });
  const code = causes.map((one) => (one as { code?: unknown }).code).find((value): value is string => typeof value === 'string') ?? '';
  if (code === 'ENOTFOUND') return new McpFailed('not_found', { cause: error });
  if (code === 'ETIMEDOUT') return new McpFailed('timeout', { cause: error });
  if (isUntrustedCertificate(code)) return new McpFailed('untrusted', { cause: error });
  if (/^(E[A-Z_]+|ERR_(TLS|SSL|STREAM)_\w+)$/.test(code) && !(error instanceof SdkError))
    return new McpFailed('unreachable', { cause: error });
  return new McpFailed('protocol', { cause: error });
}
