import {
	AbortError,
	ForbiddenError,
	isServiceError,
	NotFoundError,
	RejectedError,
	type ServiceError,
	UnauthorizedError,
} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import {analyticsOrganization} from '../../db/analytics.ts';
import type {Database} from '../../db/database.ts';
import type {Account} from '../../domain/accounts/account.ts';
import {isEqual} from '../../domain/is-equal.ts';
import type {KnownComputer} from '../../domain/known.ts';
import {pageLimit} from '../../domain/limits.ts';
import type {Message} from '../../domain/messages/message.ts';

/** What an account has read of its organization from the service, for comparison with what a new key can see. */
export type Evidence = {
	readonly account: Account;
	/** Id of the organization, as in the analytics. */
	readonly organization?: string;
	readonly users: ReadonlySet<string>;
	/** Computers, the most recently read first. */
	readonly computers: readonly KnownComputer[];
	readonly sessions: readonly string[];
	/** Whether any of these messages of a session is cached, with the same content: organizations may share ids. */
	readonly hasCached: (sessionId: string, messages: readonly Message[]) => boolean;
};

/**
 * `match`: the key belongs to `account`. `other`: to none of the accounts. `no-evidence`: nothing that the key
 * can see decides it. `no-answer`: the service didn't answer all of it, so ask again. `refused`: the service
 * rejects the key. `doubted`: the account it may belong to: one that fits, as long as another one fits or may
 * fit too, else the first with that verdict.
 */
type Match =
	| {readonly verdict: 'match'; readonly account: Account; readonly sessions: ReadonlySet<string>}
	| {
			readonly verdict: 'other' | 'no-evidence' | 'no-answer' | 'refused';
			readonly doubted?: Account;
			/** Whether the service gave no answer about an id of the account, which may fit. */
			readonly mayFit?: boolean;
	  };

/**
 * A match, with the ids of the organization's users if the key can see them, and what the last request without an answer
 * got instead of one.
 */
export type KeyMatch = Match & {readonly users: readonly string[]; readonly failure?: ServiceError};

/** Maximum number of accounts compared, and of ids requested for each. An `unknown` account needs more proof. */
const maxAccounts = 3;
const maxIds = {usual: 4, unknown: 8} as const;
/** Messages read per session: enough to include a cached one, even if the newest aren't cached. */
const sessionPage = 20;

const usersName = 'account.users';
const maxUsers = 500;

/** Saves the ids of users that the service listed, to recognize a new key of the same organization. */
export function rememberUsers(settings: Database['settings'], ids: readonly string[]): void {
	const before = knownUsers(settings);
	const all = [...new Set([...before, ...ids])].slice(0, maxUsers);
	if (all.length > before.length) settings.put(usersName, all);
}

function knownUsers(settings: Database['settings']): string[] {
	const stored = settings.get(usersName);
	return Array.isArray(stored) ? stored.filter(id => typeof id === 'string') : [];
}

export function readEvidence(account: Account, database: Database): Evidence {
	const {settings, computers, sessions, messages, outbox} = database;
	const organization = settings.get(analyticsOrganization);
	// Unsent messages matter most: they must not go to another organization.
	const waiting = outbox.all(['queued', 'sending', 'unconfirmed', 'failed']).map(({sessionId}) => sessionId);
	const read = sessions
		.all()
		.filter(({id, session}) => session !== undefined || messages.count(id) > 0)
		.sort((a, b) => (b.fetchedAt ?? b.addedAt) - (a.fetchedAt ?? a.addedAt));
	return {
		account,
		...(typeof organization === 'string' && {organization}),
		users: new Set(knownUsers(settings)),
		computers: computers
			.all()
			.filter(({computer}) => computer !== undefined)
			.sort((a, b) => (b.fetchedAt ?? 0) - (a.fetchedAt ?? 0)),
		sessions: [...new Set([...(account.kind === 'unknown' ? waiting : []), ...read.map(({id}) => id)])],
		hasCached: (sessionId, listed) =>
			listed.some(({id, content}) => {
				const [cached] = messages.from(sessionId, 1, id);
				return cached !== undefined && isEqual(cached.message.content, content);
			}),
	};
}

/** Finds the account that a key belongs to, by at most 18 requests for what each account is known to have. */
export async function matchAccount(
	service: Service,
	candidates: readonly Evidence[],
	signal: AbortSignal,
): Promise<KeyMatch> {
	const questions = createQuestions(service, signal);
	try {
		// Always requested: a key that the service rejects belongs to no account.
		const answer = await questions.users();
		const match = await compareAll(candidates.slice(0, maxAccounts), questions);
		const {failure} = questions;
		return {...match, users: typeof answer === 'string' ? [] : answer.ids, ...(failure && {failure})};
	} catch (error) {
		if (error instanceof UnauthorizedError) return {verdict: 'refused', users: []};
		throw error;
	}
}

async function compareAll(candidates: readonly Evidence[], questions: AccountQuestions): Promise<Match> {
	const undecided: Evidence[] = [];
	const results = new Map<Account, Match>();
	for (const evidence of candidates) {
		const match = await compareOrganization(evidence, questions);
		if (match?.verdict === 'match') return match;
		if (match) results.set(evidence.account, match);
		else undecided.push(evidence);
	}
	for (const evidence of undecided) results.set(evidence.account, await compareIds(evidence, questions));
	const accountsWith = (verdict: Match['verdict']) =>
		[...results].filter(([, match]) => match.verdict === verdict).map(([account]) => account);
	const [first, another] = accountsWith('match');
	const match = first && results.get(first);
	// Organizations may have the same ids: what fits two accounts proves neither.
	if (match && another) return {verdict: 'no-evidence', doubted: first};
	const isUndecided = [...results.values()].some(one => one.verdict === 'no-answer' && one.mayFit);
	if (match) return isUndecided ? {verdict: 'no-answer', doubted: first} : match;
	for (const verdict of ['no-answer', 'no-evidence'] as const) {
		const [doubted] = accountsWith(verdict);
		if (doubted) return {verdict, doubted};
	}
	return {verdict: 'other'};
}

type AccountQuestions = ReturnType<typeof createQuestions>;

/** Whether it exists. `unknown`: the answer proves nothing; `silent`: the service gave none. */
type Answer = 'yes' | 'no' | 'unknown' | 'silent';

/** Creates the requests to the service; those about the organization are sent once for all candidates. */
function createQuestions(service: Service, signal: AbortSignal) {
	let organization: Promise<{readonly id: string} | Answer> | undefined;
	let users: Promise<UserPage | Answer> | undefined;
	const options = {signal};
	let failure: ServiceError | undefined;
	async function answered<T>(call: () => Promise<T>): Promise<T | Answer> {
		try {
			return await call();
		} catch (error) {
			if (error instanceof UnauthorizedError) throw error;
			if (error instanceof NotFoundError) return 'no';
			if (error instanceof ForbiddenError || error instanceof RejectedError) return 'unknown';
			if (error instanceof AbortError) return 'silent';
			if (!isServiceError(error)) throw error;
			failure = error;
			return 'silent';
		}
	}
	return {
		get failure() {
			return failure;
		},
		organization() {
			organization ??= answered<{readonly id: string} | Answer>(async () => {
				const day = await service.analytics.lastDay();
				const {meta} = await service.analytics.activity({startDate: day, endDate: day}, options);
				return meta.org_id === undefined ? 'unknown' : {id: meta.org_id};
			});
			return organization;
		},
		users() {
			users ??= answered(async () => {
				const {items, hasMore} = await service.users.list({limit: pageLimit.max}, options);
				return {ids: items.map(({id}) => id), isWhole: !hasMore};
			});
			return users;
		},
		computer: ({id, computer}: KnownComputer) =>
			answered<Answer>(async () => {
				const now = await service.computers.get(id, options);
				const before = computer?.createdAt;
				return before === undefined || now.createdAt === undefined || before === now.createdAt ? 'yes' : 'no';
			}),
		session: (id: string, hasCached: Evidence['hasCached']) =>
			answered<Answer>(async () => {
				const {items} = await service.messages.list(id, {limit: sessionPage}, options);
				// Another organization may have a session of the same id.
				return hasCached(id, items) ? 'yes' : 'unknown';
			}),
	};
}

type UserPage = {readonly ids: readonly string[]; readonly isWhole: boolean};

/** Compares the organization itself; undefined if that decides nothing. */
async function compareOrganization(
	{account, organization, users: known}: Evidence,
	questions: AccountQuestions,
): Promise<Match | undefined> {
	// If the file may hold data of several services, this proves only where its analytics and users come from.
	const match = account.kind === 'unknown' ? undefined : matchOf(account);
	if (organization !== undefined) {
		const answer = await questions.organization();
		if (typeof answer !== 'string' && answer.id !== organization) return {verdict: 'other'};
		if (typeof answer !== 'string' && match) return match;
	}
	const users = await questions.users();
	if (known.size === 0 || typeof users === 'string') return undefined;
	const similarity = sameUsers(known, users);
	if (similarity === 'no') return {verdict: 'other'};
	return similarity === 'yes' ? match : undefined;
}

async function compareIds(evidence: Evidence, questions: AccountQuestions): Promise<Match> {
	const {account, organization, hasCached} = evidence;
	const isUnknown = account.kind === 'unknown';
	const answers: Answer[] = [];
	const found: string[] = [];
	for (const subject of subjectsOf(evidence)) {
		const answer =
			typeof subject === 'string'
				? await questions.session(subject, hasCached)
				: await questions.computer(subject);
		answers.push(answer);
		if (answer === 'yes' && typeof subject === 'string') found.push(subject);
		if (answer === 'yes' && !isUnknown) return matchOf(account);
	}
	const no = answers.filter(answer => answer === 'no').length;
	// Data of several services belongs to none of them.
	if (isUnknown && no === 0 && answers.includes('yes') && !answers.includes('silent'))
		return matchOf(account, found);
	const ofOrganization = [
		await questions.users(),
		organization === undefined ? 'unknown' : await questions.organization(),
	];
	const mayFit = answers.includes('silent');
	if (mayFit || ofOrganization.includes('silent')) return {verdict: 'no-answer', mayFit};
	// A single missing item may have been deleted.
	return {verdict: no >= 2 || (isUnknown && no > 0) ? 'other' : 'no-evidence'};
}

const matchOf = (account: Account, sessions: readonly string[] = []): Match => ({
	verdict: 'match',
	account,
	sessions: new Set(sessions),
});

/** Sessions and computers in turn, up to the maximum. */
function subjectsOf({account, computers, sessions}: Evidence): (KnownComputer | string)[] {
	const maxQuestions = account.kind === 'unknown' ? maxIds.unknown : maxIds.usual;
	const subjects: (KnownComputer | string)[] = [];
	for (let i = 0; i < maxQuestions; i++) {
		const session = sessions[i];
		const computer = computers[i];
		if (session !== undefined) subjects.push(session);
		if (computer !== undefined) subjects.push(computer);
	}
	return subjects.slice(0, maxQuestions);
}

/**
 * Compares two lists of users. A person may belong to two organizations, so a few common users prove nothing;
 * no common user proves that the organizations differ.
 */
function sameUsers(known: ReadonlySet<string>, {ids, isWhole}: UserPage): 'yes' | 'no' | 'unknown' {
	const common = ids.filter(id => known.has(id)).length;
	if (common === 0) return isWhole && ids.length > 0 ? 'no' : 'unknown';
	const all = isWhole ? new Set([...known, ...ids]).size : ids.length;
	return common >= 2 && common >= all / 2 ? 'yes' : 'unknown';
}
