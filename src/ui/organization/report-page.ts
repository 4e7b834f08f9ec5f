import {
	type CriterionChange,
	type CriterionScore,
	compareReports,
	passShareOf,
	type ReadinessReport,
	type RepositoryReadiness,
	scoresOf,
} from '../../domain/organization/readiness.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {comparisonTable, reportsTable, reportTables} from '../../state/organization/readiness-columns.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {percent} from '../../text/values/numbers.ts';
import {age, utcTime} from '../../text/values/times.ts';
import {figureLines, type Page, type PageContext, pageTitle, section, textPage} from './page.ts';

/** How the state of a criterion is shown. */
const scoreLooks = {
	pass: [safe`✓`, safe`pass`, 'good'],
	partial: [safe`◐`, safe`partial`, 'warn'],
	fail: [safe`✗`, safe`fail`, 'bad'],
	unknown: [safe`┄`, safe`unknown`, 'dim'],
} as const satisfies Record<CriterionScore['state'], readonly [Safe, Safe, Tone]>;

/** One report of a repository by criterion, failing ones first, or its differences from an older report. */
export function reportPage(
	repository: RepositoryReadiness,
	{report, comparesReports}: OrganizationViewState,
	context: PageContext,
): Page {
	const {width, now} = context;
	const {reports} = repository;
	const index = Math.min(report, reports.length - 1);
	const shown = reports[index] ?? repository.latest;
	const before = comparesReports ? reports[index + 1] : undefined;
	const title: Line = [
		...pageTitle('readiness', {item: cleanLine(repository.name || repository.url || shown.reportId, 100)}),
		...(index > 0 ? [span(safe`  report ${index + 1} of ${reports.length}`, 'warn')] : []),
	];
	const {passed, of, share} = passShareOf(shown);
	const head: Line[] = [
		...figureLines(
			[
				[span(percent(share), 'strong'), span(safe` pass, ${passed} of ${of}`, 'dim')],
				[span(utcTime(shown.createdAt), 'strong'), span(safe` (${age(ageOf(shown, now))} ago)`, 'dim')],
				...originLines(shown),
			],
			width,
		),
		...(before
			? [
					[
						span(safe`Compared with the report of `, 'dim'),
						span(utcTime(before.createdAt), 'strong'),
						span(safe` (${percent(passShareOf(before).share)} pass)`, 'dim'),
					],
				]
			: []),
		[],
	];
	return {
		...textPage(
			title,
			head,
			before
				? comparisonLines(before, shown, width)
				: [...reportLines(shown, width), ...otherReports(reports, index, context)],
		),
		data: () => ({
			name: `readiness-${repository.key}`,
			selection: {
				view: 'readiness',
				repository: repository.key,
				report_id: shown.reportId,
				compared_with: before?.reportId,
			},
			tables: before
				? [comparisonTable(before, shown)]
				: [
						...reportTables(shown),
						reportsTable(
							'reports',
							reports.map(report => ({report})),
						),
					],
		}),
	};
}

function ageOf({createdAt}: ReadinessReport, now: number): number | undefined {
	return createdAt === undefined ? undefined : now - createdAt;
}

/** The origin of the report: commit, unpublished work, model and agent. */
function originLines({
	branch,
	commitHash,
	hasLocalChanges,
	hasNonRemoteCommits,
	modelUsed,
	agentVersion,
	reportId,
}: ReadinessReport): Line[] {
	const effort = modelUsed?.reasoningEffort ? safe` (${cleanLine(modelUsed.reasoningEffort, 20)})` : safe``;
	const commit = commitHash === undefined ? safe`` : safe`@${cleanLine(commitHash, 100)}`;
	return [
		[span(safe`${cleanLine(branch ?? '-', 60)}${commit}`, 'dim')],
		...flagLine(hasLocalChanges, safe`local changes`),
		...flagLine(hasNonRemoteCommits, safe`unpushed commits`),
		...(modelUsed?.id === undefined ? [] : [[span(safe`${cleanLine(modelUsed.id, 60)}${effort}`, 'dim')]]),
		...(agentVersion === undefined ? [] : [[span(safe`agent ${cleanLine(agentVersion, 20)}`, 'dim')]]),
		[span(safe`report ${cleanLine(reportId, 100)}`, 'dim')],
	];
}

/** A warning about the report, or that it doesn't apply; empty when that is unknown. */
function flagLine(isSet: boolean | undefined, name: Safe): Line[] {
	if (isSet === undefined) return [];
	return [[isSet ? span(safe`! ${name}`, 'warn') : span(safe`no ${name}`, 'dim')]];
}

/** The repository's reports, newest first, with the shown one marked. */
function otherReports(reports: readonly ReadinessReport[], index: number, {now, label}: PageContext): Line[] {
	if (reports.length < 2) return [];
	const rows = reports.slice(0, maxReports).map((report, at): Line => {
		const {share, passed, of} = passShareOf(report);
		const tone = at === index ? 'accent' : 'dim';
		return [
			span(at === index ? safe`▸ ` : safe`  `, tone),
			span(utcTime(report.createdAt), tone),
			span(
				safe`  ${pad(age(ageOf(report, now)), 4, 'end')} ago  ${pad(percent(share), 5, 'end')} pass, ${passed} of ${of}`,
				tone,
			),
			span(safe`  ${cleanLine(report.branch ?? '-', 40)}`, 'dim'),
		];
	});
	const rest = reports.length - rows.length;
	const more = rest > 0 ? safe`; ${rest} older ones not listed` : safe``;
	return section(
		safe`Reports`,
		rows,
		safe`${label('older-report')} older, ${label('newer-report')} newer${more}`,
	);
}

const maxReports = 100;

function reportLines(report: ReadinessReport, width: number): Line[] {
	const apps = Object.entries(report.apps ?? {});
	return [
		...section(
			safe`Criteria`,
			scoresOf(report).flatMap(score => criterionLines(score, width)),
			safe`failing first; 1/2: one of two applications passes`,
		),
		...section(
			safe`Applications`,
			apps.map(
				([path, {description}]): Line => [
					span(cleanLine(path, 100), 'strong'),
					span(safe`  ${cleanLine(typeof description === 'string' ? description : '', 300)}`, 'dim'),
				],
			),
		),
	];
}

export function criterionLines(
	{id, state, numerator, denominator, isOdd, rationale}: CriterionScore,
	width: number,
): Line[] {
	const [glyph, word, tone] = scoreLooks[state];
	const of =
		numerator === undefined || denominator === undefined ? safe`` : safe`${numerator}/${denominator}`;
	return [
		[
			span(safe`${glyph} ${pad(word, 8)}`, tone),
			span(safe`${pad(of, 6, 'end')}  `, 'dim'),
			span(cleanLine(id, 120), 'strong'),
			...(isOdd ? [span(safe`  passes in more applications than were evaluated`, 'warn')] : []),
		],
		...rationaleLines(rationale, width, 8),
	];
}

function rationaleLines(rationale: string | undefined, width: number, maxRows: number): Line[] {
	if (rationale === undefined) return [];
	const clean = cleanText(rationale, {maxLength: 2000});
	return wrapText(clean, Math.max(8, Math.min(width - 4, 110)), maxRows).map(
		(row): Line => [span(safe`    ${row}`, 'dim')],
	);
}

function comparisonLines(before: ReadinessReport, after: ReadinessReport, width: number): Line[] {
	const {newlyPassing, newlyFailing, denominatorChanged, added, removed} = compareReports(before, after);
	const kinds = [
		[safe`Newly failing`, newlyFailing],
		[safe`Newly passing`, newlyPassing],
		[safe`Number of applications changed`, denominatorChanged],
		[safe`New criteria`, added],
		[safe`Removed criteria`, removed],
	] as const;
	const lines = kinds.flatMap(([title, changes]) =>
		section(
			title,
			changes.flatMap(change => changeLines(change, width)),
		),
	);
	return lines.length > 0 ? lines : [[span(safe`No criteria changed`, 'dim')]];
}

function changeLines({id, before, after}: CriterionChange, width: number): Line[] {
	const scoreText = (score: CriterionScore | undefined) => {
		if (!score) return safe`-`;
		const [glyph, word] = scoreLooks[score.state];
		return score.denominator === undefined
			? safe`${glyph} ${word}`
			: safe`${glyph} ${word} ${score.numerator ?? 0}/${score.denominator}`;
	};
	return [
		[
			span(cleanLine(id, 120), 'strong'),
			span(safe`  ${scoreText(before)} → `, 'dim'),
			span(scoreText(after), after ? scoreLooks[after.state][2] : 'dim'),
		],
		...rationaleLines(after?.rationale, width, 4),
	];
}
