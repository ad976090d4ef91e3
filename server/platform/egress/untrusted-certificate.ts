const untrusted = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|(?:INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$)/;

/** Returns whether the code of an error of Node says that a certificate is untrusted, expired, or issued for another host. */
export function isUntrustedCertificate(code: string): boolean {
  return untrusted.test(code);
}
