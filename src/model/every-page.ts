const pageLength = 200;

type Page = { ok: true; value: { id: string }[] } | { ok: false };

/** Reads pages of a list until the last one, or until one has no new item, since a server may ignore the page parameters. */
export async function everyPage<A extends Page>(read: (query: { limit: number; offset: number }) => Promise<A>): Promise<A> {
  const all = new Map<string, { id: string }>();
  for (;;) {
    const offset = all.size;
    const page = await read({ limit: pageLength, offset });
    if (!page.ok) return page;
    for (const one of page.value) all.set(one.id, one);
    if (page.value.length < pageLength || all.size === offset) return { ...page, value: [...all.values()] };
  }
}
