/**
 * Returns the IPv4 addresses that an IPv6 address carries, by the forms of translators and tunnels: compatible and mapped (RFC 4291), translated
 * (RFC 6145), NAT64 with the well-known and the local prefix (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380), ISATAP (RFC 5214). Such an
 * address reaches the other one, where the network has the translator.
 */
export function embeddedAddresses(address: string): string[] {
  const groups = groupsOf(address);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const last = dotted(g, h);
  if (groups.length === 0) return [];
  if (a === 0 && b === 0 && c === 0 && d === 0) return [last];
  // Behind a local prefix of 48 or 56 bits the address stands around eight bits of zero, behind one of 64 after them.
  if (a === 0x64 && b === 0xff9b) {
    const behind56 = [((d & 0xff) << 8) | (e & 0xff), f] as const;
    return [
      last,
      dotted(d, ((e & 0xff) << 8) | (f >> 8)),
      dotted(...behind56),
      dotted(((e & 0xff) << 8) | (f >> 8), ((f & 0xff) << 8) | (g >> 8)),
    ];
  }
  if (a === 0x2002) return [dotted(b, c)];
  if (a === 0x2001 && b === 0) return [dotted(c, d), dotted(g ^ 0xffff, h ^ 0xffff)];
  return isIsatap(e, f) ? [last] : [];
}

/** Whether an IPv6 address has the interface of ISATAP, with any prefix. */
export function isIsatapAddress(address: string): boolean {
  const [, , , , e = 0, f = 0] = groupsOf(address);
  return isIsatap(e, f);
}

function isIsatap(e: number, f: number): boolean {
  return (e === 0 || e === 0x200) && f === 0x5efe;
}

/** The eight groups of an IPv6 address; none for any other text. */
function groupsOf(address: string): number[] {
  const url = URL.parse(`http://[${address}]`);
  if (!url) return [];
  const [head = '', tail] = url.hostname.slice(1, -1).split('::');
  const before = numbersOf(head);
  const after = tail === undefined ? [] : numbersOf(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function numbersOf(part: string): number[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
