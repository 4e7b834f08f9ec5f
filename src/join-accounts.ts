import {analyticsOrganization} from './db/analytics.ts';
import type {Database, Machine} from './db/database.ts';
import type {DraftContent, StoredDraft} from './db/drafts.ts';
import type {Account} from './domain/accounts/account.ts';
import type {OutboxItem} from './domain/messages/delivery.ts';
import {subjectKey} from './domain/sessions/attention.ts';

type Open = (machine: Machine, stateFolder: string, account: Account) => Database;

/** Setting of an account's database: the id of the account it was joined to. */
export const joinedSetting = 'account.joinedTo';

/** Why two accounts can't be joined, in one line. */
export class JoinError extends Error {
	override readonly name = 'JoinError';
}

type CopiedCounts = {readonly messages: number; readonly drafts: number; readonly sessions: number};

/**
 * Joins the account `from` to `into`, which keeps its id: the keys of both open it from now on. Copies
 * drafts, outgoing messages, sessions and computers; cached messages are fetched again. The file of `from`
 * stays as it is, apart from a mark that it was joined. Throws `JoinError` and `StorageError`.
 */
export function joinAccounts(
	machine: Machine,
	stateFolder: string,
	{into, from}: {into: string; from: string},
	open: Open,
): CopiedCounts {
	const {accounts} = machine;
	const organizationRead = (account: Account) => {
		const database = open(machine, stateFolder, account);
		const name = database.settings.get(analyticsOrganization);
		database.close();
		return typeof name === 'string' ? name : undefined;
	};
	const account = accounts.exclusively(() => {
		const [target, source] = [accounts.get(into), accounts.get(from)];
		if (!target || target.joinedTo !== undefined) throw new JoinError(`there is no account ${into}`);
		if (!source || source.joinedTo !== undefined) throw new JoinError(`there is no account ${from}`);
		if (into === from) throw new JoinError(`${into} is the same account: choose two`);
		if (isOtherService(target, source))
			throw new JoinError(
				`${into} and ${from} belong to different service addresses, and only accounts of one address can be joined: nothing was joined`,
			);
		refuseOtherOrganization(into, target.organization, from, source.organization);
		refuseOtherOrganization(into, organizationRead(target), from, organizationRead(source));
		const {mayBe, ...known} = withIdentity(target, source);
		const joined = mayBe === from || mayBe === undefined ? known : {...known, mayBe};
		accounts.put(joined);
		// From now on no program that has it open sends anything from it.
		accounts.put({...source, joinedTo: into});
		accounts.moveKeys(from, into);
		return joined;
	});
	const database = open(machine, stateFolder, account);
	try {
		return copyJoined(machine, stateFolder, {id: into, database}, open);
	} finally {
		database.close();
	}
}

/** Accounts of two known organizations can't be joined: each would show and send what is the other's. */
function refuseOtherOrganization(
	into: string,
	ours: string | undefined,
	from: string,
	theirs: string | undefined,
): void {
	if (ours !== undefined && theirs !== undefined && ours !== theirs)
		throw new JoinError(`${into} belongs to ${ours} and ${from} to ${theirs}: nothing was joined`);
}

/** Accounts of different services can't be joined. An account of unknown kind may belong to any service. */
function isOtherService(a: Account, b: Account): boolean {
	if (a.kind === 'unknown' || b.kind === 'unknown') return false;
	return a.kind !== b.kind || a.address !== b.address;
}

/** An account of unknown kind takes the identity of the other account. */
function withIdentity(target: Account, source: Account): Account {
	const {address = source.address, organization = source.organization, profile = source.profile} = target;
	return {
		...target,
		kind: target.kind === 'unknown' ? source.kind : target.kind,
		...(address !== undefined && {address}),
		...(organization !== undefined && {organization}),
		...(profile !== undefined && {profile}),
	};
}

/** Copies the data of accounts that were joined to this one, unless `isCarried`: resumes an interrupted join. */
export function copyJoined(
	machine: Machine,
	stateFolder: string,
	target: {readonly id: string; readonly database: Database},
	open: Open,
): CopiedCounts {
	const {accounts} = machine;
	const counts = {messages: 0, drafts: 0, sessions: 0};
	for (const account of accounts.all()) {
		if (account.joinedTo !== target.id || account.isCarried) continue;
		const source = open(machine, stateFolder, account);
		try {
			target.database.outbox.exclusively(() => {
				claimOld(target.database, target.id);
				copyData(source, target.database, target.id, counts);
			});
			source.settings.put(joinedSetting, target.id);
			accounts.noteCarried(account.id);
		} finally {
			source.close();
		}
	}
	return counts;
}

/** Assigns the account the messages of an earlier release, which name none. */
function claimOld({outbox}: Database, accountId: string): void {
	for (const item of outbox.all()) if (item.accountId === undefined) outbox.put({...item, accountId});
}

/** Copies all that `to` doesn't have, so that it can be repeated. */
function copyData(
	from: Database,
	to: Database,
	accountId: string,
	counts: Record<keyof CopiedCounts, number>,
): void {
	const computers = new Set(to.computers.all().map(({id}) => id));
	to.computers.put(...from.computers.all().filter(({id}) => !computers.has(id)));
	for (const session of from.sessions.all()) {
		const before = to.sessions.get(session.id);
		if (!before) counts.sessions++;
		// The source's name, pin and subject are kept unless the target has its own.
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
	const marked = new Set(to.attention.all().map(({subject}) => subjectKey(subject)));
	for (const mark of from.attention.all()) if (!marked.has(subjectKey(mark.subject))) to.attention.put(mark);
}

/** Never overwrites a draft: if the session has one, the copied draft becomes one of its other drafts. */
function addDraft({drafts}: Database, sessionId: string, draft: StoredDraft): boolean {
	const before = drafts.get(sessionId);
	if (before?.text === draft.text) return false;
	if (before && !isEmpty(before)) drafts.addOther(sessionId, draft);
	else drafts.put(sessionId, draft, before?.revision);
	return true;
}

function isEmpty({text, images, files}: DraftContent): boolean {
	return text === '' && images.length === 0 && files.length === 0;
}

const undecided = 'This may have been written for another account; resend it to send it here.';

/**
 * Assigns every outbox message to the account. A message whose session may belong to another account is
 * neither sent nor looked for until the user decides.
 */
export function claimOutbox(
	{outbox}: Database,
	accountId: string,
	isCertain: (sessionId: string) => boolean,
): void {
	outbox.exclusively(() => {
		for (const item of outbox.all())
			if (item.accountId !== accountId)
				outbox.put({...(isCertain(item.sessionId) ? item : leftToUser(item)), accountId});
	});
}

function leftToUser(item: OutboxItem): OutboxItem {
	const {lookUntil: _, ...rest} = item;
	if (item.state === 'queued') return {...rest, state: 'failed', problem: undecided};
	if (item.state === 'sending' || item.state === 'unconfirmed')
		return {...rest, state: 'unconfirmed', problem: undecided};
	return item;
}
