import {hmac} from '@noble/hashes/hmac.js';
import {sha256} from '@noble/hashes/sha2.js';
import {randomId} from '../hooks/random-id.ts';
import {isEmptyDatabase, newAccount, withDatabase} from './account-files.ts';
import {type Config, ConfigError, type ServiceAddress} from './config/config.ts';
import type {Database, Machine} from './db/database.ts';
import {addHookSessions} from './db/events.ts';
import {unlessStorageFails} from './db/file/storage-error.ts';
import {accountDatabase, openAccountFile} from './db/open-database.ts';
import {
	type Account,
	accountName,
	localAccount,
	normalAddress,
	organizationOf,
} from './domain/accounts/account.ts';
import {ownProgram} from './domain/own-program.ts';

/** The account that a configuration opens. `hasNewKey`: its profile had another key until now. */
export type FoundAccount = {readonly account: Account; readonly hasNewKey?: boolean};

type Key = Pick<ServiceAddress, 'baseUrl' | 'key'>;

export type AccountChoice = Pick<Config, 'profile' | 'stateFolder'>;

/** The key in the environment is new at an address that has accounts: only the user knows whether it opens `other`. */
export class NewKeyError extends ConfigError {
	readonly other: Account;

	constructor(other: Account) {
		super(
			`this key is new here, and doesn't say which organization it belongs to. If it is that of account ${accountName(other)}: ${ownProgram} accounts use ${other.id}. If not: ${ownProgram} accounts use new`,
		);
		this.other = other;
	}
}

/** An account that every state folder has at most once: that of the embedded service, or without a service. */
export function fixedAccount({accounts}: Machine, id: string, kind: 'local' | 'none'): Account {
	const add = () => {
		const account = newAccount(id, kind);
		accounts.put(account);
		return account;
	};
	// Another program may start at the same moment.
	return accounts.get(id) ?? accounts.exclusively(() => accounts.get(id) ?? add());
}

/**
 * An HMAC of a key and its address, salted per machine: it reveals only whether two keys are equal. Loading `node:crypto`
 * would take 4 ms of each start.
 */
function fingerprintOf(machine: Machine, address: string, {key}: Key): string {
	const words = new TextEncoder();
	const code = hmac(
		sha256,
		words.encode(machine.accounts.salt()),
		words.encode(`${address}\n${key.reveal()}`),
	);
	return Buffer.from(code).toString('hex');
}

const profileAt = (address: string, profile: string) => `${profile} ${address}`;

export function isOpenedByKey({accounts}: Machine, {id, organization}: Account): boolean {
	return organization !== undefined || accounts.openersOf(id).some(opener => !opener.includes(' '));
}

/** The account that a key opens already. Tokens rotate, so one that names its organization opens what that has. */
export function findKnownAccount(machine: Machine, service: Key): Account | undefined {
	const {accounts} = machine;
	const address = normalAddress(service.baseUrl);
	const organization = organizationOf(service.key.reveal());
	if (organization === undefined) return accounts.openedBy(fingerprintOf(machine, address, service));
	return accounts.all().find(one => one.address === address && one.organization === organization);
}

/**
 * The account that an address and key open: that of the token's organization, else that of the profile, which keeps it
 * when its own key is replaced. Throws `NewKeyError` and `StorageError`.
 */
export function findAccount(machine: Machine, choice: AccountChoice, service: ServiceAddress): FoundAccount {
	const {accounts} = machine;
	const {profile} = choice;
	const known = findKnownAccount(machine, service);
	const found = known ? {account: known} : accountOfNewKey(machine, choice, service);
	const {account} = found;
	unlessStorageFails(() => {
		accounts.recordUse(account, profile, Date.now());
		const opener = profileAt(normalAddress(service.baseUrl), profile);
		if (service.keyFrom !== 'environment' && accounts.openedBy(opener)?.id !== account.id)
			accounts.putOpener(opener, account.id);
	});
	return found;
}

function accountOfNewKey(machine: Machine, choice: AccountChoice, service: ServiceAddress): FoundAccount {
	const {accounts} = machine;
	const address = normalAddress(service.baseUrl);
	const isToken = organizationOf(service.key.reveal()) !== undefined;
	const mayBe = (account: Account) => !isToken || account.organization === undefined;
	if (service.keyFrom !== 'environment') {
		const own = accounts.openedBy(profileAt(address, choice.profile));
		const kept = own && mayBe(own) ? own : undefined;
		return {account: openWithKey(machine, choice, service, kept?.id), hasNewKey: kept !== undefined};
	}
	const other = accounts
		.all()
		.find(
			account =>
				account.address === address &&
				mayBe(account) &&
				!withDatabase(machine, choice.stateFolder, account, isEmptyDatabase),
		);
	if (other) throw new NewKeyError(other);
	return {account: openWithKey(machine, choice, service, undefined)};
}

/**
 * Lets a key open an account from now on, or a new one of its own. Throws `ConfigError` if the account is gone or can't be
 * the key's.
 */
export function chooseAccount(
	machine: Machine,
	choice: AccountChoice,
	service: ServiceAddress,
	id: string | undefined,
): Account {
	const address = normalAddress(service.baseUrl);
	const known = findKnownAccount(machine, service);
	const account = id === undefined ? undefined : machine.accounts.get(id);
	const refuse = (why: string) => {
		throw new ConfigError(why);
	};
	if (id !== undefined && !account) refuse(`there is no account ${id}`);
	if (account && account.address !== address)
		refuse(`account ${id} doesn't belong to ${address}, where this key is sent`);
	const {organization} = account ?? {};
	const inToken = organizationOf(service.key.reveal());
	if (inToken !== undefined && known && known.id !== id)
		refuse(`this key names its organization, ${inToken}: it opens account ${known.id}`);
	if (inToken !== undefined && organization !== undefined && inToken !== organization)
		refuse(`account ${id} belongs to ${organization}, and this key to ${inToken}`);
	return openWithKey(machine, choice, service, account?.id, true);
}

/** `isChosen`: by the user, so that it replaces the account that the key opened until now. */
function openWithKey(
	machine: Machine,
	{profile}: AccountChoice,
	service: ServiceAddress,
	id: string | undefined,
	isChosen = false,
): Account {
	const {accounts} = machine;
	const address = normalAddress(service.baseUrl);
	const organization = organizationOf(service.key.reveal());
	const owner = organization ?? (service.keyFrom === 'environment' ? undefined : profile);
	/** That of the owner, so that the account is found again when the list of accounts is lost. */
	const newId = () => {
		const own = Buffer.from(sha256(new TextEncoder().encode(`${address}\n${owner}`))).toString('hex');
		const isFree = owner !== undefined && !isChosen && !accounts.get(own.slice(0, 8));
		return (isFree ? own : randomId()).slice(0, 8);
	};
	return accounts.exclusively(() => {
		// Another program may have seen the key at the same time.
		const known = isChosen ? undefined : findKnownAccount(machine, service);
		if (known) return known;
		const before = id === undefined ? undefined : accounts.get(id);
		const account: Account = {
			...(before ?? newAccount(newId(), 'remote')),
			address,
			organization: organization ?? before?.organization,
			profile,
			usedAt: Date.now(),
		};
		accounts.put(account);
		if (organization === undefined) accounts.putOpener(fingerprintOf(machine, address, service), account.id);
		return account;
	});
}

type AccountOpening = {
	readonly stateFolder: string;
	readonly folderProblem?: string | undefined;
	/** The address and key it was opened with; absent for the embedded service. */
	readonly service?: ServiceAddress | undefined;
};

export function openAccountDatabase(
	machine: Machine,
	account: Account,
	{stateFolder, folderProblem, service}: AccountOpening,
): Database {
	const {id} = account;
	const own = openAccountFile(machine, stateFolder, account, folderProblem);
	if (own.problem === undefined) unlessStorageFails(() => addHookSessions(own, machine.events, Date.now()));
	/** Using or forgetting accounts can change that at any time. */
	const isCurrent = () =>
		service === undefined
			? id === localAccount
			: (unlessStorageFails(() => findKnownAccount(machine, service)?.id === id) ?? false);
	return accountDatabase(own, machine, {id, isCurrent});
}
