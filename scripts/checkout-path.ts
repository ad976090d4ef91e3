/** Returns why Vite 8.3, which builds the client and runs the tests, cannot read a checkout in this folder; null where it can. */
export function problemOfPath(root: string): string | null {
  if (!/[#?]/.test(root)) return null;
  return `Vite takes "#" and "?" for the end of a file's path, so nothing can be built in ${root}: rename the folder or move the checkout.`;
}
