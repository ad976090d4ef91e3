/**
 * Names what a consent for the run covers: the tool as it is defined now. Of a tool whose arguments choose the host it covers that host alone, so
 * that the consent to one does not open all others.
 */
export function consentKey(toolKey: string, host: string | null | undefined): string {
  return host ? `${toolKey} ${host}` : toolKey;
}
