type Strip = { width: number; height: number; data: ArrayLike<number> };

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Encodes a PNG file of opaque pixels. `strip` returns the rows from an index on, as RGBA; it is called until all rows are written. */
export async function encodePng({ width, height }: { width: number; height: number }, strip: (top: number) => Strip): Promise<Blob> {
  const packed = new CompressionStream('deflate');
  const chunks: Uint8Array<ArrayBuffer>[] = [new Uint8Array(signature), chunk('IHDR', header(width, height))];
  const collected = (async () => {
    const reader = packed.readable.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(chunk('IDAT', part.value));
  })();
  const writer = packed.writable.getWriter();
  for (let top = 0; top < height; ) {
    const rows = strip(top);
    await writer.write(scanlines(rows));
    top += rows.height;
    // Yields to other work of the page between two strips.
    await new Promise((resolve) => setTimeout(resolve));
  }
  await writer.close();
  await collected;
  chunks.push(chunk('IEND', new Uint8Array(0)));
  return new Blob(chunks, { type: 'image/png' });
}

/** Eight bits a channel, red, green, blue. */
function header(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, 2, 0, 0, 0], 8);
  return bytes;
}

/** Prepends the filter byte "none" to each row. */
function scanlines({ width, height, data }: Strip): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array((width * 3 + 1) * height);
  let to = 0;
  let from = 0;
  for (let row = 0; row < height; row++) {
    to++;
    for (let column = 0; column < width; column++, from += 4, to += 3) {
      bytes[to] = data[from] as number;
      bytes[to + 1] = data[from + 1] as number;
      bytes[to + 2] = data[from + 2] as number;
    }
  }
  return bytes;
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, checksum(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

const table = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** Computes the CRC-32 of PNG. */
function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
