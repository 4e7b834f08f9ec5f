import type {Organization} from '../../src/demo/organization.ts';
import type {UserRow} from '../../src/domain/organization/analytics.ts';
import type {Reply, SeenRequest} from './fault-server.ts';
import {json} from './replies.ts';

type Dated = {readonly date?: string};

export type OrganizationAnswers = {
	readonly organizationId?: string;
	/** The service's clock, Unix ms: the Date header, and the day that is refused. The system's when absent. */
	readonly now?: () => number;
};

const answered = ['tokens', 'tools', 'activity', 'productivity'] as const;

/** Answers as the service does for this organization: analytics, ungrouped, and its users. For a fault server's `otherwise`. */
export function organizationReply(
	organization: Organization,
	{organizationId = 'org-1', now = Date.now}: OrganizationAnswers = {},
): Reply {
	const rows = new Map<string, readonly Dated[]>(answered.map(name => [name, organization[name]()]));
	const userRows = [...organization.userRows()];
	return (response, request) => {
		const reply = answerTo(request);
		return reply(response, request);
	};

	function answerTo({path, query}: SeenRequest): Reply {
		const headers = {date: new Date(now()).toUTCString()};
		if (path === '/api/v0/organization/users') {
			const from = Number(query.cursor ?? 0);
			const to = from + Number(query.limit ?? 20);
			const hasMore = to < organization.users.length;
			const pagination = {hasMore, nextCursor: hasMore ? String(to) : null};
			return json({users: organization.users.slice(from, to), pagination}, 200, headers);
		}
		const {startDate = '', endDate = ''} = query;
		const today = new Date(now()).toISOString().slice(0, 10);
		if (endDate >= today) return json({title: 'Bad Request', detail: "today's date requested"}, 400, headers);
		const meta = {org_id: organizationId, start_date: startDate, end_date: endDate};
		const isInside = ({date = ''}: Dated) => date >= startDate && date <= endDate;
		const name = path.split('/').at(-1) ?? '';
		if (name !== 'users') return json({data: (rows.get(name) ?? []).filter(isInside), meta}, 200, headers);
		return json(userPage(userRows.filter(isInside), query, meta), 200, headers);
	}
}

/** A page of whole users, as many as have at most `limit` rows together, and at least one. The cursor is the last user's id. */
function userPage(rows: readonly UserRow[], query: SeenRequest['query'], meta: object): object {
	const limit = Number(query.limit ?? 20);
	const rest = rows.filter(({user_id: id}) => query.cursor === undefined || id > query.cursor);
	let end = Math.min(limit, rest.length);
	while (end < rest.length && rest[end]?.user_id === rest[end - 1]?.user_id) end++;
	const data = rest.slice(0, end).map(row => ({...row, user_email: row.user_email ?? null}));
	const hasMore = end < rest.length;
	return {data, meta: {...meta, has_more: hasMore, next_cursor: hasMore ? rest[end - 1]?.user_id : ''}};
}
