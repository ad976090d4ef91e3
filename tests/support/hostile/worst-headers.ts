/** The header limit of Node.js: 16 KiB. */
const length = 14_000;

/** Values with the highest cost for their parsers, by header. */
export const worstHeaders: Record<string, string[]> = {
  'accept-language': [`en${' '.repeat(length)};`, 'en;q=0.1,'.repeat(length / 9), `en;q=${'9'.repeat(length)}`],
  'accept-encoding': [`a${' '.repeat(length)}b`, 'a;'.repeat(length / 2), `gzip;q=${'0'.repeat(length)}`, 'br,'.repeat(length / 3)],
  cookie: [';'.repeat(length), `${';\t \t \t \t '.repeat(length / 9)}x`, `language=${'a'.repeat(length)}`, 'device-='.repeat(length / 8)],
  forwarded: [`for=${'"\\'.repeat(length / 2)}`, ','.repeat(length)],
  'x-forwarded-for': [','.repeat(length), '1.1.1.1,'.repeat(length / 8)],
  'idempotency-key': ['~'.repeat(length)],
  authorization: [`Bearer ${'.'.repeat(length)}`, `Bearer ${' '.repeat(length)}x`, `Bearer ${'e30.'.repeat(length / 4)}`],
  'content-type': [`application/json${';'.repeat(length)}`, `application/json;${' '.repeat(length)}x`],
  traceparent: ['00-'.repeat(length / 3)],
  'last-event-id': ['9'.repeat(length)],
  range: [`bytes=${'0-,'.repeat(length / 3)}`, `bytes=${'0-0,'.repeat(length / 4)}`, `bytes=${' '.repeat(length)}-`],
  'if-none-match': ['W/"a",'.repeat(length / 6), '"'.repeat(length), ','.repeat(length)],
  'if-match': ['W/"a",'.repeat(length / 6)],
  'if-modified-since': ['9'.repeat(length)],
  origin: [`http://${'a.'.repeat(length / 2)}`],
};
