/**
 * Frees a buffer outside V8's heap immediately. The garbage collector sees only the small handle and lets
 * tens of MB pile up. The caller must not use the buffer again.
 */
export function freeBuffer({buffer}: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): void {
	buffer.transfer(0);
}
