/**
 * Whose data a database file holds: one service address and one organization. Nothing of one account is shown, posted
 * or cached in another.
 */
export type Account = {
	/** Part of a file name; short enough to be typed. */
	readonly id: string;
	/**
	 * `local`: the embedded service of this state folder. `unknown`: a file of an earlier release, or one that a lost
	 * machine database knew: it isn't certain yet which service it was read from.
	 */
	readonly kind: 'remote' | 'local' | 'unknown';
	/** Normalized address of the service (`normalAddress`). */
	readonly address?: string;
	/** As a token named it; the name that the service itself gives is in the account's own database. */
	readonly organization?: string;
	/** The profile it was opened with last. */
	readonly profile?: string;
	/** Its database, relative to the state folder. */
	readonly file: string;
	/** Unix ms. */
	readonly createdAt: number;
	readonly usedAt: number;
	/** No answer told yet whether its key belongs to another account of the address: ask again. */
	readonly isUndecided?: boolean;
	/** What the service said first to its key. One that was only ever refused may have been mistyped. */
	readonly firstAnswer?: 'accepted' | 'refused';
	/** The account that has taken this one in. Its file is left as it was. */
	readonly joinedTo?: string;
	/** What the user typed was carried over to the account that has taken this one in. */
	readonly isCarried?: boolean;
};

/** The account of the embedded service. */
export const localAccount = 'local';
/** What was kept while no service was set up. */
export const noAccount = 'none';

/** How an account is told to the user, raw: its id, and what it is of. */
export function accountName({id, kind, address, organization, profile}: Account): string {
	if (kind === 'local') return `${id} (the embedded service)`;
	if (id === noAccount) return `${id} (saved while no service was set up)`;
	if (kind === 'unknown')
		return `${id} (${profile === undefined ? '' : `read by profile ${profile} `}from an unknown service)`;
	const host = address === undefined ? 'a service' : new URL(address).host;
	return `${id} (${organization === undefined ? host : `${organization} at ${host}`})`;
}

/** Scheme and host in lower case, no default port, no slash at the end. Two spellings of one address are the same. */
export function normalAddress(address: string): string {
	const {protocol, host, pathname} = new URL(address);
	return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/** The usual names of an organization in a token's payload. */
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
 * The organization that a JSON Web Token names; nothing for any other key. The signature isn't checked: it tells
 * accounts of this machine apart and grants nothing.
 */
export function organizationOf(key: string): string | undefined {
	const [, payload = '', ...rest] = key.split('.');
	if (rest.length !== 1 || !key.startsWith('eyJ')) return undefined;
	let claims: unknown;
	try {
		claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
	} catch {
		return undefined;
	}
	if (typeof claims !== 'object' || claims === null) return undefined;
	const named = claims as Readonly<Record<string, unknown>>;
	for (const claim of organizationClaims) {
		// Some issuers put their address before their own claims: `https://issuer.example/org_id`.
		const name = Object.keys(named).find(key => key === claim || key.endsWith(`/${claim}`));
		const value = name === undefined ? undefined : named[name];
		const id = typeof value === 'object' && value !== null ? (value as {id?: unknown}).id : value;
		if (typeof id === 'string' && /^[^\s@]{1,200}$/.test(id)) return id;
	}
	return undefined;
}
