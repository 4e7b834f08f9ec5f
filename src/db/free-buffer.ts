/**
 * Frees what lies outside of V8's heap at once, when nobody reads it any more: the collector sees only the few bytes that
 * point there, and lets tens of MB of them gather.
 */
export function freeBuffer({buffer}: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): void {
	buffer.transfer(0);
}
