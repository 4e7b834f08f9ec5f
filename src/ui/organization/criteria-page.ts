import {criteriaTable} from '../../domain/export-tables/readiness-tables.ts';
import {
	type CriterionAcross,
	type CriterionScore,
	criteriaAcross,
	type RepositoryReadiness,
} from '../../domain/organization/readiness.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import type {OrganizationReading} from '../../state/organization-reading.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, cutMiddle, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {figure, figureLines, filterWords, type Page, type PageSize, textPage, wordMatcher} from './page.ts';
import {listPage, type PageColumn, widestOf} from './page-columns.ts';
import {criterionLines, scoreLooks} from './report-page.ts';
import {strings} from './strings.ts';

const text = strings.criteria;

/** Columns of a repository's state under its name, and at least where names don't fit. */
const namedWidth = {min: 8, max: 18} as const;
/** Columns for the criterion's name before the matrix gets any. */
const idWidth = {min: 20, max: 44} as const;
/** Minimum columns for a list of names. */
const namesMin = 16;

/** The newest reports by criterion, those that fail in most repositories first; or one criterion in full. */
export function criteriaPage(
	repositories: readonly RepositoryReadiness[],
	{opened, words}: OrganizationReading,
	{width}: PageSize,
	label: KeyMap['label'],
): Page {
	const all = criteriaAcross(repositories);
	const open = all.find(({id}) => id === opened.readiness);
	if (open) return criterionPage(open, repositories, width);
	const isMatch = wordMatcher(words.readiness);
	const rows = all.filter(({id}) => isMatch(id));
	const everywhere = all.filter(({failing, evaluated}) => failing === evaluated && evaluated > 0).length;
	return listPage({
		columns: columnsAt(all, repositories, width),
		rows,
		width,
		idOf: ({id}) => id,
		title: [
			span(strings.views.readiness, 'heading'),
			span(text.title, 'strong'),
			...filterWords(words.readiness),
		],
		head: [
			...figureLines(
				[
					figure(all.length, text.criterion(all.length)),
					figure(everywhere, text.failEverywhere(everywhere)),
					[span(text.order, 'dim')],
					[span(text.showRepositories(label('readiness-tab')), 'dim')],
				],
				width,
			),
			[],
		],
		data: () => ({
			name: 'readiness-criteria',
			selection: {view: 'readiness', tab: 'criteria', filter: words.readiness ?? ''},
			tables: [criteriaTable(rows, repositories)],
		}),
		empty: all.length === 0 ? text.empty : strings.noMatches,
	});
}

function columnsAt(
	all: readonly CriterionAcross[],
	repositories: readonly RepositoryReadiness[],
	width: number,
): readonly PageColumn<CriterionAcross>[] {
	const widest = Math.min(
		idWidth.max,
		Math.max(
			idWidth.min,
			widestOf(all, ({id}) => id),
		),
	);
	const room = width - widest - countWidth - 4;
	const each = Math.floor(room / Math.max(1, repositories.length));
	const id: PageColumn<CriterionAcross> = {
		title: text.columns.criterion,
		width: idWidth.min,
		fullWidth: widest,
		cell: ({id}, columns) => [cutMiddle(cleanLine(id, 120), columns), 'strong'],
	};
	const fails: PageColumn<CriterionAcross> = {
		title: text.columns.fails,
		width: countWidth,
		isNumber: true,
		cell: ({failing, evaluated}) => [
			safe`${failing}/${evaluated}`,
			failing === 0 ? 'dim' : failing === evaluated ? 'bad' : 'warn',
		],
	};
	if (each >= namedWidth.min)
		return [
			id,
			fails,
			...repositories.map((one, index) => named(one, index, Math.min(namedWidth.max, each))),
		];
	return [
		id,
		fails,
		{
			title: text.columns.failsIn,
			width: namesMin,
			fullWidth: Math.max(namesMin, room),
			cell: ({scores}, columns) => [cutEnd(failingNames(scores, repositories), columns), 'dim'],
		},
	];
}

const countWidth = 7;

/** The column of one repository. */
function named(repository: RepositoryReadiness, index: number, width: number): PageColumn<CriterionAcross> {
	return {
		title: pad(cutMiddle(shortName(repository), width - 2), width - 2),
		width: width - 2,
		cell({scores}) {
			const score = scores[index];
			if (!score) return [safe`-`, 'dim'];
			const [glyph, , tone] = scoreLooks[score.state];
			const {numerator, denominator} = score;
			const isPart = score.state === 'partial' && numerator !== undefined && denominator !== undefined;
			return [isPart ? safe`${glyph} ${numerator}/${denominator}` : glyph, tone];
		},
	};
}

function failingNames(scores: CriterionAcross['scores'], repositories: readonly RepositoryReadiness[]): Safe {
	const names = repositories.filter((_, index) => isFailing(scores[index])).map(shortName);
	return names.reduce((list, name) => (list === '' ? name : safe`${list}, ${name}`), safe``);
}

function isFailing(score: CriterionScore | undefined): boolean {
	return score?.state === 'fail' || score?.state === 'partial';
}

/** The last part of its URL: `shop` for `github.com/acme/shop`. */
function shortName({key}: RepositoryReadiness): Safe {
	return cleanLine(key.split('/').at(-1) || key || strings.readiness.noUrl, 60);
}

/** One criterion in each repository, failing ones first, with the reason. */
function criterionPage(
	{id, scores, failing, evaluated}: CriterionAcross,
	repositories: readonly RepositoryReadiness[],
	width: number,
): Page {
	const rows = repositories.map(({key}, index) => ({key, score: scores[index]}));
	const lines = (['fail', 'partial', 'unknown', 'pass'] as const).flatMap(state =>
		rows.flatMap(({key, score}) =>
			score?.state === state ? criterionLines({...score, id: key}, width) : [],
		),
	);
	const title: Line = [
		span(strings.views.readiness, 'heading'),
		span(safe` › `, 'dim'),
		span(cleanLine(id, 100), 'strong'),
	];
	return {
		...textPage(title, [[span(text.failsIn(failing, evaluated), 'dim')], []], lines),
		data: () => ({
			name: 'readiness-criterion',
			selection: {view: 'readiness', criterion: id},
			tables: [criteriaTable([{id, scores, failing, evaluated}], repositories)],
		}),
	};
}
