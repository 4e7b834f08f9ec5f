import {expect, test} from 'vitest';
import {
	compareReports,
	criteriaAcross,
	passShareOf,
	type ReadinessReport,
	repositoriesOf,
	repositoryKey,
	scoreOf,
	scoresOf,
} from '../../../../src/domain/organization/readiness.ts';

type Scores = Record<string, readonly [number?, number?]>;

function report(reportId: string, scores: Scores, rest: Partial<ReadinessReport> = {}): ReadinessReport {
	const entries = Object.entries(scores).map(([id, [numerator, denominator]]) => [
		id,
		{...(numerator !== undefined && {numerator}), ...(denominator !== undefined && {denominator})},
	]);
	return {
		reportId,
		repoUrl: 'https://host.example/team/app',
		createdAt: 1e12,
		report: Object.fromEntries(entries),
		...rest,
	};
}

test.each([
	[3, 3, 'pass', false],
	[0, 3, 'fail', false],
	[1, 3, 'partial', false],
	[5, 3, 'pass', true],
	[1, 0, 'unknown', false],
	[1, undefined, 'unknown', false],
	[-1, 3, 'unknown', false],
])('%s of %s is %s', (numerator, denominator, state, isOdd) => {
	expect(
		scoreOf('x', {
			...(numerator !== undefined && {numerator}),
			...(denominator !== undefined && {denominator}),
		}),
	).toMatchObject({state, isOdd});
});

test('orders criteria with failing ones first, and counts only readable ones in the share', () => {
	const one = report('r', {tests: [2, 2], docs: [0, 2], lint: [1, 2], odd: [1, 0], alarms: [0, 1]});
	expect(scoresOf(one).map(({id}) => id)).toEqual(['alarms', 'docs', 'lint', 'odd', 'tests']);
	expect(passShareOf(one)).toEqual({passed: 1, of: 4, share: 0.25});
	expect(passShareOf(report('r', {odd: [1, 0]})).share).toBeUndefined();
});

test('across repositories, the criteria that most of them fail come first', () => {
	const repositories = repositoriesOf([
		report('a2', {tests: [2, 2], docs: [0, 2], lint: [1, 2]}, {repoUrl: 'https://h/a', createdAt: 2}),
		report('a1', {tests: [0, 2], alarms: [0, 1]}, {repoUrl: 'https://h/a', createdAt: 1}),
		report('b', {tests: [0, 1], docs: [0, 1], odd: [1, 0]}, {repoUrl: 'https://h/b'}),
		report('c', {tests: [1, 1], docs: [0, 3]}, {repoUrl: 'https://h/c'}),
	]);
	expect(repositories.map(({key}) => key)).toEqual(['h/b', 'h/a', 'h/c']);
	const states = criteriaAcross(repositories).map(({id, failing, evaluated, scores}) => [
		id,
		`${failing}/${evaluated}`,
		scores.map(score => score?.state ?? '-').join(' '),
	]);
	// Only the newest report of each counts; one without readable numbers neither passes nor fails.
	expect(states).toEqual([
		['docs', '3/3', 'fail fail fail'],
		['lint', '1/1', '- partial -'],
		['tests', '1/3', 'fail pass pass'],
		['odd', '0/0', 'unknown - -'],
	]);
});

test('compares two reports', () => {
	const before = report('a', {tests: [1, 2], docs: [2, 2], lint: [2, 2], gone: [1, 1], odd: [1, 0]});
	const after = report('b', {tests: [2, 2], docs: [1, 3], lint: [3, 3], fresh: [0, 1], odd: [1, 1]});
	const {newlyPassing, newlyFailing, denominatorChanged, added, removed} = compareReports(before, after);
	const ids = (changes: readonly {id: string}[]) => changes.map(({id}) => id);
	expect([newlyPassing, newlyFailing, denominatorChanged, added, removed].map(ids)).toEqual([
		['tests'],
		['docs'],
		['docs', 'lint'],
		['fresh'],
		['gone'],
	]);
});

test.each([
	'https://host.example/Team/App.git',
	'https://user:pass@host.example/team/app/',
	'git@host.example:team/app.git',
	'ssh://git@host.example/team/app',
	'HTTPS://Host.Example/team/app?x#y',
])('%s is the same repository', url => {
	expect(repositoryKey(url)).toBe('host.example/team/app');
});

test('groups reports by repository, least ready first, with their trend', () => {
	const reports = [
		report('a2', {x: [1, 1], y: [0, 1]}, {createdAt: 2e12}),
		report('b1', {x: [0, 1]}, {repoUrl: 'https://me:secret@host.example/team/other'}),
		report('a1', {x: [1, 1], y: [1, 1]}, {repoUrl: 'git@host.example:team/app.git'}),
		report('a2', {x: [1, 1], y: [0, 1]}, {createdAt: 2e12}),
		report('c1', {x: [1, 0]}, {repoUrl: 'https://host.example/team/third'}),
	];
	const [other, app, third] = repositoriesOf(reports);
	expect(other).toMatchObject({
		url: 'https://***@host.example/team/other',
		change: undefined,
		score: {share: 0},
	});
	expect(app).toMatchObject({key: 'host.example/team/app', change: -0.5, latest: {reportId: 'a2'}});
	expect(app?.trend).toEqual([1, 0.5]);
	expect(third?.score.share).toBeUndefined();
});

test('a repository is named as its newest report spells it', () => {
	const reports = [
		report('new', {}, {repoUrl: 'file:///home/me/Src/App.git', createdAt: 2}),
		report('old', {}, {repoUrl: 'file:///home/me/src/app', createdAt: 1}),
	];
	expect(repositoriesOf(reports).map(({name}) => name)).toEqual(['/home/me/Src/App']);
});
