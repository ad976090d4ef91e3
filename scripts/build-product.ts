import { buildClient, buildClientWhenStale } from './build-client.ts';
import { buildServer, buildServerWhenStale } from './build-server.ts';

/** Builds the client and the server at the same time. Returns false if one of them failed. */
export async function buildProduct(): Promise<boolean> {
  return (await Promise.all([buildClient(), buildServer()])).every(Boolean);
}

/** Builds what is missing, or was built from other sources. Returns false if a build failed. */
export async function buildProductWhenStale(): Promise<boolean> {
  return (await Promise.all([buildClientWhenStale(), buildServerWhenStale()])).every(Boolean);
}
