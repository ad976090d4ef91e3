/** Whether a response of build `served` differs from the page's build `own`; false where either is unknown. */
export function isOtherVersion(own: string | null | undefined, served: string | null): boolean {
  return Boolean(own) && Boolean(served) && own !== served;
}
