/**
 * Returns a `Content-Disposition` header that saves a file under a name, without folders: in ASCII for old clients, and in UTF-8 for
 * the others.
 */
export function attachment(fileName: string): string {
  const name =
    fileName
      .toWellFormed()
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/[\p{Cc}\p{Cf}"]/gu, '')
      .slice(0, 200) || 'file';
  const plain = name.replace(/[^\w.-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}
