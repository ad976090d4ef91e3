/** Whether an answer that names `served` is of another build than the page `own`: a server or a page that names none says nothing. */
export function isOtherVersion(own: string | null | undefined, served: string | null): boolean {
  return Boolean(own) && Boolean(served) && own !== served;
}
