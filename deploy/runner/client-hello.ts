/** A longer first message of TLS is refused (bytes). One with keys for the time of quantum computers has 2 KiB. */
const maxHelloBytes = 16 * 1024;
const handshakeRecord = 22;
const clientHello = 1;
const extensions = { serverName: 0, encryptedHello: 0xfe0d };

type ReadHello = { kind: 'incomplete' } | { kind: 'invalid' } | { kind: 'asks'; name: string };

/**
 * Reads which host the first message of a TLS connection asks for (RFC 8446, RFC 6066). One address serves hosts of many owners, so the name of a
 * tunnel alone does not say who is reached. A message that hides its host (Encrypted Client Hello) is `invalid`.
 */
export function readClientHello(bytes: Buffer): ReadHello {
  if (bytes.length > maxHelloBytes) return { kind: 'invalid' };
  try {
    const message = messageIn(bytes);
    if (message === null) return { kind: 'incomplete' };
    const name = nameIn(message);
    return name === null ? { kind: 'invalid' } : { kind: 'asks', name };
  } catch {
    // A length leads behind the end.
    return { kind: 'invalid' };
  }
}

/** Returns the body of the message, which may come in several records; null where bytes are missing. Throws for any other protocol. */
function messageIn(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== handshakeRecord) throw new RangeError('This is no handshake of TLS.');
    if (at + 5 > bytes.length) return null;
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    if (end === at + 5) throw new RangeError('A record is empty.');
    parts.push(bytes.subarray(at + 5, end));
    at = end;
    const joined = Buffer.concat(parts);
    if (joined.length < 4) continue;
    if (joined[0] !== clientHello) throw new RangeError('This is not the first message.');
    const length = joined.readUIntBE(1, 3);
    if (joined.length >= 4 + length) return joined.subarray(4, 4 + length);
  }
  return null;
}

function nameIn(message: Buffer): string | null {
  // Version and random number.
  let at = 2 + 32;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  const end = at + 2 + message.readUInt16BE(at);
  let name: string | null = null;
  for (at += 2; at < end; ) {
    const type = message.readUInt16BE(at);
    const next = at + 4 + message.readUInt16BE(at + 2);
    if (type === extensions.encryptedHello) return null;
    // Length of the list, kind of the name, length of the name.
    if (type === extensions.serverName) {
      if (name !== null) return null;
      const length = message.readUInt16BE(at + 7);
      if (message.readUInt8(at + 6) !== 0 || at + 9 + length !== next) return null;
      name = message.toString('latin1', at + 9, next).toLowerCase();
    }
    at = next;
  }
  return name;
}
