/** The owner of a database file: one service address and organization. Accounts share no data. */
export type Account = {
	/** Part of a file name, and short enough to type. */
	readonly id: string;
	/**
	 * `local`: the embedded service of this state folder. `unknown`: the file comes from an earlier release or
	 * was registered in a lost machine database, so its service isn't certain yet.
	 */
	readonly kind: 'remote' | 'local' | 'unknown';
	/** Normalized address of the service (`normalAddress`). */
	readonly address?: string;
	/** As named in the token. The name the service reports is in the account's own database. */
	readonly organization?: string;
	/** The profile that last opened it. */
	readonly profile?: string;
	/** Path of its database, relative to the state folder. */
	readonly file: string;
	/** Unix ms. */
	readonly createdAt: number;
	/** When a program last opened it, Unix ms, to the minute. */
	readonly usedAt: number;
	/** Its database was opened before: without its file, data was lost. */
	readonly hasFile?: boolean;
	/** The service hasn't shown yet whether this key belongs to another account there: check again. */
	readonly isUndecided?: boolean;
	/** Id of the account that it may be the same as, by all that the service shows, until the user decides. */
	readonly mayBe?: string;
	/** The service's first response to the key. A key that was only ever refused may have been mistyped. */
	readonly firstAnswer?: 'accepted' | 'refused';
	/** The account this one was merged into. This account's file is left unchanged. */
	readonly joinedTo?: string;
	/** The user's own input was copied to the account this one was merged into. */
	readonly isCarried?: boolean;
};

/** The account of the embedded service. */
export const localAccount = 'local';
/** The account used while no service was configured. */
export const noAccount = 'none';

/** User input stored only in this account. */
export type KeptInput = {
	/** Messages that the service doesn't have or may not have. */
	readonly unsent: number;
	readonly drafts: number;
};

/** Data stored only in some accounts of a profile, with the number of sessions opened or added there. */
export type Kept = KeptInput & {readonly sessions: number};

/** Data stored only in other accounts of the profile: at another address, or for another key at the same address. */
export type KeptElsewhere = Kept & {readonly host: string; readonly isOtherKey: boolean};

/** The account that this one may be the same as, if both are still there and apart. */
export function unclearFrom(account: Account, get: (id: string) => Account | undefined): Account | undefined {
	const {mayBe, joinedTo} = account;
	const other = mayBe === undefined || joinedTo !== undefined ? undefined : get(mayBe);
	return other?.joinedTo === undefined ? other : undefined;
}

/** Display name of an account, raw: its id and its organization or address. */
export function accountName({id, kind, address, organization, profile}: Account): string {
	if (kind === 'local') return `${id} (the embedded service)`;
	if (id === noAccount) return `${id} (saved while no service was set up)`;
	if (kind === 'unknown')
		return `${id} (${profile === undefined ? '' : `read by profile ${profile} `}from an unknown service)`;
	const host = address === undefined ? 'a service' : new URL(address).host;
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
	let claims: unknown;
	try {
		claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
	} catch {
		return undefined;
	}
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
