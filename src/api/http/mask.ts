import type {Secret} from '../../config/secret.ts';

/** Replaces a secret in text by `***`, whether plain, URL-encoded, JSON-escaped or in base64. */
export type Mask = (text: string) => string;

export function createMask(secret: Secret): Mask {
	const value = secret.reveal();
	if (value === '') return text => text;
	const base64 = Buffer.from(value).toString('base64');
	const forms = new Set([
		value,
		encodeURIComponent(value),
		base64,
		base64.replace(/=+$/, ''),
		Buffer.from(value).toString('base64url'),
		JSON.stringify(value).slice(1, -1),
	]);
	// Longest first, so that no form leaves the end of a longer one behind.
	const ordered = [...forms].sort((a, b) => b.length - a.length);
	return text => ordered.reduce((masked, form) => masked.replaceAll(form, '***'), text);
}
