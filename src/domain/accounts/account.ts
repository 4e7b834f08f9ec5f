import {ifPossible} from '../if-possible.ts';
/**
 * The owner of a database file: a service address and one organization there or, if no organization is named, a profile.
 * Accounts share no data.
 */
export type Account = {
	/** Part of a file name, and short enough to type. */
	readonly id: string;
	/** `local`: the embedded service of this state folder. `none`: used while no service is set up. */
	readonly kind: 'remote' | 'local' | 'none';
	/** Normalized address of the service (`normalAddress`). */
	readonly address?: string;
	/** As named in the token. The name the service reports is in the account's own database. */
	readonly organization?: string;
	readonly profile?: string;
	/** Path of its database, relative to the state folder. */
	readonly file: string;
	/** Unix ms. */
	readonly createdAt: number;
	/** When a program last opened it, Unix ms, to the minute. */
	readonly usedAt: number;
};

export const localAccount = 'local';
/** The account used while no service is configured. */
export const noAccount = 'none';

/** What the user wrote and added that is only in one account. */
export type Kept = {
	/** Messages that the service doesn't have or may not have. */
	readonly unsent: number;
	readonly drafts: number;
	readonly sessions: number;
};

/** Display name of an account, raw: its id and its organization or address. */
export function accountName({id, kind, address, organization}: Account): string {
	if (kind === 'local') return `${id} (the embedded service)`;
	if (kind === 'none') return `${id} (saved while no service was set up)`;
	if (address === undefined) return `${id} (from an unknown service)`;
	const {host} = new URL(address);
	return `${id} (${organization === undefined ? host : `${organization} at ${host}`})`;
}

/** Lower-case scheme and host, no default port, no trailing slash: spellings of one address are equal. */
export function normalAddress(address: string): string {
	const {protocol, host, pathname} = new URL(address);
	return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/** Common claim names for an organization in a token's payload. */
const organizationClaims = [
	'org_id',
	'orgId',
	'organization_id',
	'organizationId',
	'organization',
	'org',
	'tenant_id',
	'tenantId',
	'tid',
	'tenant',
] as const;

/**
 * The organization named in a JSON Web Token; undefined for any other kind of key. The signature isn't
 * verified: the name only separates accounts on this machine and grants nothing.
 */
export function organizationOf(key: string): string | undefined {
	const [, payload = '', ...rest] = key.split('.');
	if (rest.length !== 1 || !key.startsWith('eyJ')) return undefined;
	const claims: unknown = ifPossible(() => JSON.parse(Buffer.from(payload, 'base64url').toString()));
	if (typeof claims !== 'object' || claims === null) return undefined;
	const named = claims as Readonly<Record<string, unknown>>;
	for (const claim of organizationClaims) {
		// Some issuers prefix claims with their own address: `https://issuer.example/org_id`.
		const name = Object.keys(named).find(key => key === claim || key.endsWith(`/${claim}`));
		const value = name === undefined ? undefined : named[name];
		const id = typeof value === 'object' && value !== null ? (value as {id?: unknown}).id : value;
		if (typeof id === 'string' && /^[^\s@]{1,200}$/.test(id)) return id;
	}
	return undefined;
}

/**
 * Why a text is not a valid service address, worded to follow the address's name; undefined if it is valid.
 * Requires https (or http on loopback), no user, password, query or fragment, and no path that servers could
 * interpret differently.
 */
export function addressProblem(text: string): string | undefined {
	const url = URL.parse(text);
	if (!/^https?:\/\//i.test(text)) return 'is not an http address';
	if (!url) return hasWrongPort(text) ? 'has a port that is no number up to 65535' : 'is not an http address';
	if (url.username || url.password) return 'holds a user or password';
	if (url.search || url.hash || /[?#]/.test(text)) return 'holds a query or fragment';
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'is http to another machine';
	if (isAmbiguous(text)) return 'holds an ambiguous path';
	if (/\/api(\/|$)/i.test(url.pathname.replace(/\/$/, '')))
		return 'holds the /api part of the path, which is added by itself';
	return undefined;
}

/** Whether a text that isn't an address would be one without its port. */
function hasWrongPort(text: string): boolean {
	const withoutPort = text.replace(/^(https?:\/\/[^/?#@]*):[^/?#@:\]]*/i, '$1');
	return withoutPort !== text && URL.canParse(withoutPort);
}

/** An address as typed, with the scheme that it lacks: http on this machine, https elsewhere. */
export function withScheme(text: string): string {
	const typed = text.trim();
	if (typed === '' || typed.includes('://')) return typed;
	return isLoopback(URL.parse(`http://${typed}`)?.hostname ?? '') ? `http://${typed}` : `https://${typed}`;
}

/** `localhost`, 127.0.0.0/8 or [::1], as `URL.hostname` writes them. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Finds dot segments, empty segments, backslashes, control characters, and their escaped forms. */
function isAmbiguous(text: string): boolean {
	const path = text.replace(/^https?:\/\/[^/\\]*/i, '');
	return /\/\/|[\\\u0000-\u0020\u007f]|%(2e|2f|5c|25|0|1|7f)|\/\.{1,2}(\/|$)/i.test(path);
}
