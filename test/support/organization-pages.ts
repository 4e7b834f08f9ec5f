import type {FakeOrganization} from './organization-service.ts';

/** An answer of JSON. */
export type Answer = {
	readonly status: number;
	readonly value: unknown;
	readonly headers?: Record<string, string>;
};

export const refusal = (status: number, error: string): Answer => ({status, value: {error}});

/** What an organization's own pages answer. Each text in them names the organization. */
export function organizationPage(url: URL, organization: FakeOrganization): Answer | undefined {
	const {id, isMember} = organization;
	const {pathname} = url;
	const wholePage = {pagination: {hasMore: false, nextCursor: ''}};
	const person = {id: `${id}-owner`, email: `owner@${id}.example`, name: `${id} owner`};
	const answer = (value: object): Answer =>
		isMember ? refusal(403, 'managers only') : {status: 200, value: {...value, ...wholePage}};
	if (pathname.startsWith('/api/v1/analytics/')) return usage(url, organization);
	if (pathname === '/api/v0/organization/users')
		return answer({
			users: organization.users.map(user => ({
				id: user,
				email: `${user}@example.com`,
				firstName: user,
			})),
		});
	if (pathname === '/api/v0/organization/enterprise-controls/history') {
		const settings = {sessionDefaultSettings: {model: `${id}-model`}};
		return answer({changes: [{revision: 1, settings, user: person, updatedAt: '2026-06-01T00:00:00Z'}]});
	}
	if (pathname === '/api/organization/maturity-level-reports') {
		const reportId = `${id}-report`;
		const report = {style: {numerator: 1, denominator: 2, rationale: `${id} reasons`}};
		const repoUrl = `https://git.example/${id}/repository`;
		return answer({reports: [{reportId, createdAt: 1_780_000_000_000, repoUrl, apps: {}, report}]});
	}
	return undefined;
}

/** One row a day, and for users one each; sessions of activity come to the organization's credits. */
function usage(url: URL, {id, users, credits, isMember}: FakeOrganization): Answer {
	if (isMember) return {status: 403, value: {title: 'Forbidden', detail: 'managers only', status: 403}};
	const startDate = url.searchParams.get('startDate') ?? '';
	const endDate = url.searchParams.get('endDate') ?? '';
	const dates: string[] = [];
	for (let at = Date.parse(startDate); at <= Date.parse(endDate); at += 86_400_000)
		dates.push(new Date(at).toISOString().slice(0, 10));
	const rowsOf: Record<string, (date: string) => object[]> = {
		activity: date => [{date, sessions: credits, daily_active_users: 1}],
		tokens: date => [{date, billable_tokens: 1, by_model: [{model_id: `${id}-model`, billable_tokens: 1}]}],
		tools: date => [{date, tool_calls: 1, by_tool: [{tool: `${id}-tool`, invocations: 1}]}],
		productivity: date => [{date, files_created: 1, by_language: [{language: `${id}-language`, count: 1}]}],
		users: date =>
			users.map(user => ({user_id: user, user_email: `${user}@example.com`, date, tool_calls: 1})),
	};
	const data = dates.flatMap(rowsOf[url.pathname.split('/').at(-1) ?? ''] ?? (() => []));
	const meta = {org_id: id, start_date: startDate, end_date: endDate, has_more: false};
	return {status: 200, value: {data, meta}};
}
