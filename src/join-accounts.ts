import {join} from 'node:path';
import type {Database, KeptDraft, Machine, StoredDraft} from './db/database.ts';
import type {DatabaseOptions} from './db/open-database.ts';
import type {Account} from './domain/account.ts';
import type {OutboxItem} from './domain/delivery.ts';

/** Opens a database of the state folder. */
export type Open = (options: DatabaseOptions) => Database;

/** Setting of an account's database: the account that has taken over what was typed in it. */
export const joinedSetting = 'account.joinedTo';

/** Why two accounts can't be joined, in one line. */
export class JoinError extends Error {
	override readonly name = 'JoinError';
}

export type Carried = {readonly messages: number; readonly drafts: number; readonly sessions: number};

/**
 * Joins the account `from` to `into`, which keeps its name: the keys of both open it from now on, and what was typed or
 * added in `from` is carried over. Messages that were read are read again. The file of `from` is left as it was.
 * Throws `JoinError` and `StorageError`.
 */
export function joinAccounts(
	machine: Machine,
	stateFolder: string,
	{into, from}: {into: string; from: string},
	open: Open,
): Carried {
	const {accounts} = machine;
	const target = accounts.exclusively(() => {
		const [kept, left] = [accounts.get(into), accounts.get(from)];
		if (!kept || kept.joinedTo !== undefined) throw new JoinError(`there is no account ${into}`);
		if (!left || left.joinedTo !== undefined) throw new JoinError(`there is no account ${from}`);
		if (into === from) throw new JoinError(`${into} is the same account: choose two`);
		if (isOtherService(kept, left))
			throw new JoinError(`${into} and ${from} belong to different services: nothing was joined`);
		const joined = withIdentity(kept, left);
		accounts.put(joined);
		// From here on nothing of it is posted, by whoever has it open.
		accounts.put({...left, joinedTo: into});
		accounts.moveKeys(from, into);
		return joined;
	});
	const database = open({file: join(stateFolder, target.file)});
	try {
		return carryJoined(machine, stateFolder, {id: into, database}, open);
	} finally {
		database.close();
	}
}

/** Two services' data can't be one account's. A file of an earlier release may be of any. */
function isOtherService(a: Account, b: Account): boolean {
	if (a.kind === 'unknown' || b.kind === 'unknown') return false;
	return a.kind !== b.kind || a.address !== b.address;
}

/** A file of an earlier release becomes what the other account is. */
function withIdentity(kept: Account, left: Account): Account {
	const {address = left.address, organization = left.organization, profile = left.profile} = kept;
	return {
		...kept,
		kind: kept.kind === 'unknown' ? left.kind : kept.kind,
		...(address !== undefined && {address}),
		...(organization !== undefined && {organization}),
		...(profile !== undefined && {profile}),
	};
}

/**
 * Carries over what accounts that were joined to this one have typed, where that was not done to its end: a join can be
 * cut off at any moment and goes on here.
 */
export function carryJoined(
	{accounts}: Machine,
	stateFolder: string,
	target: {readonly id: string; readonly database: Database},
	open: Open,
): Carried {
	const counts = {messages: 0, drafts: 0, sessions: 0};
	for (const account of accounts.all()) {
		if (account.joinedTo !== target.id || account.isCarried) continue;
		const source = open({file: join(stateFolder, account.file)});
		try {
			target.database.outbox.exclusively(() => carry(source, target.database, target.id, counts));
			source.settings.put(joinedSetting, target.id);
			accounts.put({...account, isCarried: true});
		} finally {
			source.close();
		}
	}
	return counts;
}

/** Done twice it leaves what done once does. */
function carry(from: Database, to: Database, accountId: string, counts: Record<keyof Carried, number>): void {
	const computers = new Set(to.computers.all().map(({id}) => id));
	to.computers.put(...from.computers.all().filter(({id}) => !computers.has(id)));
	for (const session of from.sessions.all()) {
		const before = to.sessions.get(session.id);
		if (!before) counts.sessions++;
		// What the user called or pinned it is kept, unless the target has its own.
		const {name, pinned, subject} = session;
		to.sessions.put(
			before ? {...(name && {name}), ...(pinned && {pinned}), ...(subject && {subject}), ...before} : session,
		);
		for (const text of from.history.ofSession(session.id)) to.history.add(session.id, text);
	}
	for (const sessionId of from.drafts.sessions()) {
		const draft = from.drafts.get(sessionId);
		if (draft && !isEmpty(draft) && addDraft(to, sessionId, draft)) counts.drafts++;
		for (const other of from.drafts.others(sessionId)) to.drafts.addOther(sessionId, other);
	}
	for (const item of from.outbox.all()) {
		if (to.outbox.get(item.id)) continue;
		to.outbox.put({...item, accountId});
		if (item.state !== 'seen' && item.state !== 'accepted') counts.messages++;
	}
	const marked = new Set(to.attention.all().map(({sessionId}) => sessionId));
	for (const mark of from.attention.all()) if (!marked.has(mark.sessionId)) to.attention.put(mark);
}

/** Neither draft takes the other's place: the carried one is among the session's other drafts, if it has one. */
function addDraft({drafts}: Database, sessionId: string, draft: StoredDraft): boolean {
	const before = drafts.get(sessionId);
	if (before?.text === draft.text) return false;
	if (before && !isEmpty(before)) drafts.addOther(sessionId, draft);
	else drafts.put(sessionId, draft, before?.revision);
	return true;
}

function isEmpty({text, images, files}: KeptDraft): boolean {
	return text === '' && images.length === 0 && files.length === 0;
}

const undecided = 'This may have been written for another account; resend it to send it here.';

/**
 * Writes on each message of the outbox whose it is. One of a session that isn't certain to be the account's is not sent
 * or looked for until the user says so.
 */
export function claimOutbox(
	{outbox}: Database,
	accountId: string,
	isSure: (sessionId: string) => boolean,
): void {
	outbox.exclusively(() => {
		for (const item of outbox.all())
			if (item.accountId !== accountId)
				outbox.put({...(isSure(item.sessionId) ? item : leftToUser(item)), accountId});
	});
}

function leftToUser(item: OutboxItem): OutboxItem {
	const {lookUntil: _, ...rest} = item;
	if (item.state === 'queued') return {...rest, state: 'failed', problem: undecided};
	if (item.state === 'sending' || item.state === 'unconfirmed')
		return {...rest, state: 'unconfirmed', problem: undecided};
	return item;
}
