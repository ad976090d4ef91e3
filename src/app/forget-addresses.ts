/** A page that was sent with its own address, and those where it stands in each language, says so; the page shown after it has others. */
export function forgetAddresses(): void {
  for (const link of document.querySelectorAll('link[rel=canonical],link[hreflang]')) link.remove();
}
