import {statSync} from 'node:fs';
import {join} from 'node:path';
import {hmac} from '@noble/hashes/hmac.js';
import {sha256} from '@noble/hashes/sha2.js';
import {randomId} from '../hooks/random-id.ts';
import {inputIn, isEmptyDatabase, newAccount, withDatabase} from './account-files.ts';
import type {ResponseInfo} from './api/http/attempt.ts';
import type {Service} from './api/service.ts';
import type {Config, ServiceAddress} from './config/config.ts';
import {accountDatabase, openAccountFile} from './db/account-database.ts';
import type {Database, Machine} from './db/database.ts';
import {unlessStorageFails} from './db/file/storage-error.ts';
import {adoptHookSessions} from './db/hook-position.ts';
import {
	type Account,
	localAccount,
	noAccount,
	normalAddress,
	organizationOf,
	unclearFrom,
} from './domain/accounts/account.ts';
import {claimOutbox, copyJoined, joinAccounts} from './join-accounts.ts';
import {type KeyMatch, matchAccount, readEvidence, rememberUsers} from './sync/fleet/match-account.ts';

/**
 * A new account may be the same as `other`, and why that is unclear; they stay separate until the user decides.
 * `failure`: what the service answered instead, in one line.
 */
export type Doubt = {
	readonly other: Account;
	readonly why: Exclude<KeyMatch['verdict'], 'match'>;
	readonly failure?: string;
};

/** The account a configuration opens, and whether the key certainly belongs to it. */
export type FoundAccount = {readonly account: Account; readonly doubt?: Doubt};

export type AccountChoice = Pick<Config, 'mode' | 'profile' | 'stateFolder'>;

/** How long to wait for the service to answer, ms; slower answers count as no evidence. */
const checkTime = 15_000;

/** The account of the embedded service. Takes over the data an earlier release saved for the local profile. */
export function findLocalAccount(machine: Machine, {profile, stateFolder}: AccountChoice): FoundAccount {
	const {accounts} = machine;
	const old = accounts.all().find(one => isOldOf(one, profile));
	const before = accounts.get(localAccount);
	if (before && !old) return {account: before};
	const account = before ?? newAccount(localAccount, 'local');
	if (!before) accounts.put(account);
	if (old) joinAccounts(machine, stateFolder, {into: account.id, from: old.id}, openAccountFile);
	return {account};
}

function isOldOf(account: Account, profile: string): boolean {
	return account.kind === 'unknown' && account.profile === profile && account.joinedTo === undefined;
}

/**
 * An HMAC of a key and its address, salted per machine: it reveals only whether two keys are equal. Loading `node:crypto`
 * would take 4 ms of each start.
 */
function fingerprintOf(machine: Machine, address: string, {key}: ServiceAddress): string {
	const words = new TextEncoder();
	const code = hmac(
		sha256,
		words.encode(machine.accounts.salt()),
		words.encode(`${address}\n${key.reveal()}`),
	);
	return Buffer.from(code).toString('hex');
}

/** What a key itself shows, and the account it already opens here, if any. Sends nothing. */
function readKey(machine: Machine, service: ServiceAddress) {
	const {accounts} = machine;
	const address = normalAddress(service.baseUrl);
	const organization = organizationOf(service.key.reveal());
	const fingerprint = fingerprintOf(machine, address, service);
	// Organization tokens rotate, so only their organization is saved.
	const isNamed = (one: Account) => one.address === address && one.organization === organization;
	let account = organization === undefined ? undefined : accounts.all().find(isNamed);
	account ??= accounts.ofKey(fingerprint);
	return {address, organization, fingerprint, account: followJoins(accounts, account)};
}

/** The account that this one was joined to, if any. */
function followJoins({get}: Machine['accounts'], account: Account | undefined): Account | undefined {
	let found = account;
	// A damaged file may join accounts in a circle.
	for (const joined = new Set<string>(); found?.joinedTo !== undefined && !joined.has(found.id); ) {
		joined.add(found.id);
		found = get(found.joinedTo);
	}
	return found;
}

/** The account that a key opens, when that needs no request to the service. */
export function findKnownAccount(machine: Machine, service: ServiceAddress): FoundAccount | undefined {
	const {account} = readKey(machine, service);
	if (!account || account.isUndecided) return undefined;
	const other = unclearFrom(account, machine.accounts.get);
	return other ? {account, doubt: {other, why: 'no-evidence'}} : {account};
}

/** Whether the key still opens this account: joining or forgetting accounts can change that at any time. */
function isAccountOf(machine: Machine, service: ServiceAddress, id: string): boolean {
	return unlessStorageFails(() => readKey(machine, service).account?.id === id) ?? false;
}

/** Records whether the service accepts the account's key. Returns true once there is nothing left to record. */
export function noteAnswer({accounts}: Machine, id: string, {ok, status}: ResponseInfo): boolean {
	const firstAnswer = ok || status === 403 ? 'accepted' : status === 401 ? 'refused' : undefined;
	if (firstAnswer === undefined) return false;
	const isNoted = unlessStorageFails(() => {
		if (accounts.get(id)?.firstAnswer === firstAnswer) return firstAnswer === 'accepted';
		return accounts.exclusively(() => {
			const account = accounts.get(id);
			if (!account || account.firstAnswer === 'accepted') return true;
			accounts.put({...account, firstAnswer});
			return firstAnswer === 'accepted';
		});
	});
	return isNoted ?? false;
}

type Checking = {
	readonly connect: () => Promise<Service>;
	/** Called before the service is asked. */
	readonly onChecking?: (() => void) | undefined;
};

/** Finds the account of a key that is new here, by comparing what it can see at the service with saved data. */
export async function matchNewKey(
	machine: Machine,
	choice: AccountChoice,
	service: ServiceAddress,
	{connect, onChecking}: Checking,
): Promise<FoundAccount> {
	const {stateFolder} = choice;
	const key = new NewKey(machine, choice, service);
	const opened: {readonly account: Account; readonly database: Database}[] = [];
	try {
		for (const account of machine.accounts.all().filter(one => key.isCandidate(one))) {
			opened.push({account, database: openAccountFile(machine, stateFolder, account)});
		}
		// Empty accounts need no comparison.
		const candidates = opened.filter(({database}) => !isEmptyDatabase(database));
		const [first] = candidates;
		if (!first) return {account: key.giveOwnAccount()};
		onChecking?.();
		const evidence = candidates.map(({account, database}) => readEvidence(account, database));
		const match = await matchAccount(await connect(), evidence, AbortSignal.timeout(checkTime));
		const withUsers = (account: Account) => {
			withDatabase(machine, stateFolder, account, ({settings}) => rememberUsers(settings, match.users));
			return account;
		};
		if (match.verdict !== 'match') {
			const {verdict: why, doubted = first.account, failure} = match;
			// Another program may have had a better answer to the same key.
			const known = why === 'no-answer' || why === 'refused' ? findKnownAccount(machine, service) : undefined;
			if (known) return known;
			const doubt = {other: doubted, why, ...(failure && {failure: failure.what})};
			return {account: withUsers(key.giveOwnAccount(why, doubted)), doubt};
		}
		const {account, sessions} = match;
		const found = candidates.find(one => one.account.id === account.id);
		if (account.kind === 'unknown' && found) claimOutbox(found.database, account.id, id => sessions.has(id));
		return {account: withUsers(key.adopt(account))};
	} finally {
		for (const {database} of opened) database.close();
	}
}

/** A key that opens no account here yet, or one that is undecided. */
class NewKey {
	readonly #machine: Machine;
	readonly #choice: AccountChoice;
	readonly #service: ServiceAddress;
	readonly #key: ReturnType<typeof readKey>;

	constructor(machine: Machine, choice: AccountChoice, service: ServiceAddress) {
		this.#machine = machine;
		this.#choice = choice;
		this.#service = service;
		this.#key = readKey(machine, service);
	}

	/** Whether the key may belong to this account. */
	isCandidate(one: Account): boolean {
		const {address, organization, account: own} = this.#key;
		if (one.id === own?.id || one.joinedTo !== undefined || this.#isUnowned(one)) return false;
		if (isOldOf(one, this.#choice.profile) || one.id === noAccount) return true;
		if (one.kind !== 'remote' || one.address !== address) return false;
		return organization === undefined || one.organization === undefined;
	}

	/**
	 * Assigns the key to an existing account: a rotated key, or the account of an earlier release's file. If the user has
	 * forgotten that one while the service was asked, the key gets its own.
	 */
	adopt(other: Account): Account {
		const {accounts} = this.#machine;
		const {own, into} = accounts.exclusively(() => {
			const own = readKey(this.#machine, this.#service).account;
			const known = accounts.get(other.id);
			const into = known?.createdAt === other.createdAt ? followJoins(accounts, known) : undefined;
			if (!into) return {into: this.giveOwnAccount()};
			if (!own) return {into: this.#remember(into)};
			accounts.put({...into, ...this.#identity()});
			return {own, into};
		});
		if (!own || own.id === into.id) return into;
		// Includes what was saved while the service couldn't be asked.
		const {stateFolder} = this.#choice;
		joinAccounts(this.#machine, stateFolder, {into: into.id, from: own.id}, openAccountFile);
		return accounts.get(into.id) ?? into;
	}

	/** Gives the key its own account. Two programs that see the key first get the same one. */
	giveOwnAccount(why?: Doubt['why'], doubted?: Account): Account {
		const {accounts} = this.#machine;
		const isUndecided = why === 'no-answer' || why === 'refused';
		return accounts.exclusively(() => {
			const unowned = isUndecided ? undefined : accounts.all().find(one => this.#isUnowned(one));
			if (unowned) accounts.removeKeys(unowned.id);
			const {
				isUndecided: _,
				firstAnswer: before,
				...account
			} = readKey(this.#machine, this.#service).account ??
			unowned ??
			newAccount(randomId().slice(0, 8), 'remote');
			const mayBe = why === 'no-evidence' && doubted ? {mayBe: doubted.id} : {};
			if (!isUndecided) return this.#remember({...account, ...mayBe});
			const firstAnswer = before ?? (why === 'refused' ? why : undefined);
			return this.#remember({...account, isUndecided, ...(firstAnswer && {firstAnswer})});
		});
	}

	/**
	 * The service never accepted its key: its contents belong to whoever opens it with a valid one. Not with messages that
	 * wait: they would be posted, and the key may have been another organization's, revoked before the service was reached.
	 */
	#isUnowned(one: Account): boolean {
		const {address, organization} = this.#key;
		if (one.kind !== 'remote' || one.address !== address || one.joinedTo !== undefined) return false;
		if (one.firstAnswer !== 'refused' || one.organization !== organization) return false;
		const {stateFolder} = this.#choice;
		return withDatabase(this.#machine, stateFolder, one, database => inputIn(database).unsent === 0);
	}

	/** The key opens this account from now on. */
	#remember(account: Account): Account {
		const {accounts} = this.#machine;
		const {organization} = this.#key;
		const remembered = {...account, ...this.#identity()};
		accounts.put(remembered);
		if (organization === undefined)
			accounts.putKey(readKey(this.#machine, this.#service).fingerprint, account.id);
		return remembered;
	}

	/** What the key says about its account. */
	#identity() {
		const {address, organization} = this.#key;
		const {profile} = this.#choice;
		return {
			kind: 'remote',
			address,
			...(organization !== undefined && {organization}),
			profile,
			usedAt: Date.now(),
		} as const;
	}
}

/** The account used while no service is set up; it can be joined to a real one later. */
export function findUnconnected({accounts}: Machine): FoundAccount {
	const before = accounts.get(noAccount);
	if (before && before.joinedTo === undefined) return {account: before};
	const account = {...newAccount(noAccount, 'unknown'), ...(before && {createdAt: before.createdAt})};
	accounts.put(account);
	return {account};
}

type AccountOpening = {
	readonly stateFolder: string;
	readonly folderProblem?: string | undefined;
	/** The address and key it was opened with; absent for the embedded service. */
	readonly service?: ServiceAddress | undefined;
};

const lostFileText = (path: string) =>
	`${path} was missing or empty: what was saved for this account is lost, and a new file takes its place.`;

/** Opens the account's database and finishes copying data from accounts that were joined to it. */
export function openAccountDatabase(
	machine: Machine,
	account: Account,
	{stateFolder, folderProblem, service}: AccountOpening,
): Database {
	const {id, file, hasFile} = account;
	const path = join(stateFolder, file);
	const isLost = hasFile && (statSync(path, {throwIfNoEntry: false})?.size ?? 0) === 0;
	const own = openAccountFile(machine, stateFolder, account, folderProblem);
	if (own.problem === undefined)
		unlessStorageFails(() => {
			if (isLost) machine.incidents.add({at: Date.now(), what: lostFileText(path)});
			if (!hasFile) machine.accounts.noteFile(id);
			copyJoined(machine, stateFolder, {id, database: own}, openAccountFile);
			adoptHookSessions(own, machine.events, Date.now());
		});
	const isCurrent = () => (service === undefined ? id === localAccount : isAccountOf(machine, service, id));
	return accountDatabase(own, machine, {id, isCurrent});
}
