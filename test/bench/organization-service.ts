import {createServer} from 'node:http';

// An organization of any size: `node organization-service.ts USERS`. Every figure follows from user and day alone, so
// that no row is kept: what it costs beside the program that is measured is writing the answers.

const users = Number(process.argv[2] ?? 20_000);
const dayLength = 86_400_000;
const pad = (number: number, length: number) => String(number).padStart(length, '0');
const userId = (user: number) => `user-${pad(user, 6)}`;
const dayOf = (number: number) => new Date(number * dayLength).toISOString().slice(0, 10);
const numberOf = (day: string) => Date.parse(day) / dayLength;

/** 32 bits that look random, the same for the same user and day. */
function mix(user: number, day: number): number {
	let bits = Math.imul(user + 1, 0x9e3779b1) ^ Math.imul(day, 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
	bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
	return (bits ^ (bits >>> 15)) >>> 0;
}

/** Two days of five; one user of nine never does anything. */
const isActive = (user: number, day: number) => user % 9 !== 8 && mix(user, day) % 5 < 2;
const credits = (user: number, day: number) => (mix(user, day) >>> 8) % 9000;
const email = (user: number) => (user % 7 === 3 ? null : `person.${user}@example.org`);

function userRow(user: number, day: number): object {
	const bits = mix(user, day);
	const turns = 1 + (bits % 20);
	return {
		user_id: userId(user),
		user_email: email(user),
		date: dayOf(day),
		tool_calls: turns * 3,
		billable_tokens: credits(user, day),
		primary_model: `model-${bits % 4}`,
		primary_model_tier: 'standard',
		files_created: bits % 3,
		files_edited: bits % 11,
		git_commits: bits % 2,
		git_prs_created: 0,
		mcp_calls: bits % 5,
		skill_calls: 0,
		slash_commands: bits % 3,
		hooks: 0,
		sessions: 1 + (bits % 4),
		messages: turns * 2,
		user_messages: turns,
		assistant_messages: turns,
		autonomy_ratio: 3,
		delegation_level: bits % 2 ? 'auto-high' : 'manual',
		languages: bits % 2 ? ['TypeScript'] : ['Go', 'Rust'],
	};
}

function dayRow(family: string, day: number): object {
	const active = Array.from({length: users}, (_, user) => user).filter(user => isActive(user, day));
	const date = dayOf(day);
	const sum = active.reduce((all, user) => all + credits(user, day), 0);
	const turns = active.length * 10;
	switch (family) {
		case 'tokens':
			return {
				date,
				billable_tokens: sum,
				input_tokens: sum * 3,
				output_tokens: sum,
				by_model: [{model_id: 'model-0', model_tier: 'standard', billable_tokens: sum}],
				by_user: active.map(user => ({
					user_id: userId(user),
					user_email: email(user),
					billable_tokens: credits(user, day),
				})),
			};
		case 'activity':
			return {
				date,
				daily_active_users: active.length,
				weekly_active_users: users,
				monthly_active_users: users,
				daily_active_users_by_client: {web: active.length},
				sessions: active.length,
				messages: turns * 2,
				user_messages: turns,
			};
		case 'tools':
			return {date, tool_calls: turns * 3, by_tool: [{tool: 'Read', invocations: turns * 3}]};
		default:
			return {date, files_created: active.length, files_edited: turns, git_commits: active.length};
	}
}

/** Whole users, at most `limit` rows of them together, and at least one user. */
function userRows(query: URLSearchParams): object {
	const [from, to] = [numberOf(query.get('startDate') ?? ''), numberOf(query.get('endDate') ?? '')];
	const data: object[] = [];
	let user = query.get('cursor') === null ? 0 : Number(query.get('cursor')?.slice(5)) + 1;
	let last = user;
	for (; user < users; user++) {
		const days: object[] = [];
		for (let day = from; day <= to; day++) if (isActive(user, day)) days.push(userRow(user, day));
		if (data.length > 0 && data.length + days.length > Number(query.get('limit') ?? 20)) break;
		data.push(...days);
		last = user;
	}
	const hasMore = user < users;
	return {data, meta: {org_id: 'bench', has_more: hasMore, next_cursor: hasMore ? userId(last) : ''}};
}

function userList(query: URLSearchParams): object {
	const from = Number(query.get('cursor') ?? 0);
	const to = Math.min(users, from + Number(query.get('limit') ?? 20));
	const list = Array.from({length: to - from}, (_, index) => {
		const user = from + index;
		const day = 20_400 + (user % 180);
		return {
			id: userId(user),
			email: email(user),
			firstName: 'Person',
			lastName: String(user),
			createdAt: `${dayOf(day)}T08:00:00Z`,
			lastSignInAt: `${dayOf(day + 200)}T09:30:00Z`,
		};
	});
	return {users: list, pagination: {hasMore: to < users, nextCursor: to < users ? String(to) : null}};
}

function answer(path: string, query: URLSearchParams): object {
	const name = path.split('/').at(-1) ?? '';
	if (path.endsWith('/organization/users')) return userList(query);
	if (path.endsWith('/analytics/users')) return userRows(query);
	if (!path.includes('/analytics/')) return {};
	const [from, to] = [numberOf(query.get('startDate') ?? ''), numberOf(query.get('endDate') ?? '')];
	const data = Array.from({length: to - from + 1}, (_, index) => dayRow(name, from + index));
	return {data, meta: {org_id: 'bench'}};
}

const server = createServer(({url = '/'}, response) => {
	const {pathname, searchParams} = new URL(url, 'http://127.0.0.1');
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify(answer(pathname, searchParams)));
});
server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
