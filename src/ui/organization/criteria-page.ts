import {criteriaTable} from '../../domain/export-tables/readiness-tables.ts';
import {
	type CriterionAcross,
	type CriterionScore,
	criteriaAcross,
	type RepositoryReadiness,
} from '../../domain/organization/readiness.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, cutMiddle} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {figure, figureHead, type Page, type PageContext, pageTitle, textPage, wordMatcher} from './page.ts';
import {listPage, type PageColumn, widestOf} from './page-columns.ts';
import {criterionLines, scoreLooks} from './report-page.ts';
import {strings} from './strings.ts';

const text = strings.criteria;

/** Widths, in columns: of a repository's column, of the criteria's names, and of the counts. */
const repositoryWidth = {min: 8, max: 18} as const;
const idWidth = {min: 20, max: 44} as const;
const countWidth = 7;
/** Minimum width of the list of failing repositories, shown when not each of them gets a column. */
const minNamesWidth = 16;

/** The newest reports by criterion, those that fail in most repositories first; or one criterion in full. */
export function criteriaPage(
	repositories: readonly RepositoryReadiness[],
	{opened, filters: {readiness: filter}}: OrganizationViewState,
	{width, label}: PageContext,
): Page {
	const all = criteriaAcross(repositories);
	const open = all.find(({id}) => id === opened.readiness);
	if (open) return criterionPage(open, repositories, width);
	const isMatch = wordMatcher(filter);
	const rows = all.filter(({id}) => isMatch(id));
	const everywhere = all.filter(({failing, evaluated}) => failing === evaluated && evaluated > 0).length;
	return listPage({
		columns: columnsAt(all, repositories, width),
		rows,
		width,
		idOf,
		title: pageTitle('readiness', {item: text.title, filter}),
		head: figureHead(
			[
				figure(all.length, text.criterion(all.length)),
				figure(everywhere, text.failEverywhere(everywhere)),
				[span(text.order, 'dim')],
				[span(text.showRepositories(label('readiness-tab')), 'dim')],
			],
			width,
		),
		data: () => ({
			name: 'readiness-criteria',
			selection: {view: 'readiness', tab: 'criteria', filter: filter ?? ''},
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
	const fullIdWidth = Math.min(idWidth.max, Math.max(idWidth.min, widestOf(all, idOf)));
	const room = width - fullIdWidth - countWidth - 4;
	const each = Math.floor(room / Math.max(1, repositories.length));
	return [
		{
			title: text.columns.criterion,
			width: idWidth.min,
			fullWidth: fullIdWidth,
			cell: ({id}, columns) => [cutMiddle(cleanLine(id, 120), columns), 'strong'],
		},
		{
			title: text.columns.fails,
			width: countWidth,
			isNumber: true,
			cell: ({failing, evaluated}) => [
				safe`${failing}/${evaluated}`,
				failing === 0 ? 'dim' : failing === evaluated ? 'bad' : 'warn',
			],
		},
		...(each >= repositoryWidth.min
			? repositories.map((one, index) =>
					repositoryColumn(one, index, Math.min(repositoryWidth.max, each) - 2),
				)
			: [failingColumn(repositories, Math.max(minNamesWidth, room))]),
	];
}

function idOf({id}: CriterionAcross): string {
	return id;
}

/** The names of the repositories that fail a criterion. */
function failingColumn(
	repositories: readonly RepositoryReadiness[],
	fullWidth: number,
): PageColumn<CriterionAcross> {
	return {
		title: text.columns.failsIn,
		width: minNamesWidth,
		fullWidth,
		cell({scores}, width) {
			const failing = repositories.filter((_, index) => isFailing(scores[index]));
			return [cutEnd(cleanLine(failing.map(shortName).join(', ')), width), 'dim'];
		},
	};
}

/** How one repository does in a criterion. */
function repositoryColumn(
	repository: RepositoryReadiness,
	index: number,
	width: number,
): PageColumn<CriterionAcross> {
	return {
		title: cutMiddle(shortName(repository), width),
		width,
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

function isFailing(score: CriterionScore | undefined): boolean {
	return score?.state === 'fail' || score?.state === 'partial';
}

/** The last part of its URL: `shop` for `github.com/acme/shop`. */
function shortName({name}: RepositoryReadiness): Safe {
	return cleanLine(name.split('/').at(-1) || name || strings.readiness.noUrl, 60);
}

/** One criterion in each repository, failing ones first, with the reason. */
function criterionPage(
	{id, scores, failing, evaluated}: CriterionAcross,
	repositories: readonly RepositoryReadiness[],
	width: number,
): Page {
	const rows = repositories.map(({name}, index) => ({name, score: scores[index]}));
	const lines = (['fail', 'partial', 'unknown', 'pass'] as const).flatMap(state =>
		rows.flatMap(({name, score}) =>
			score?.state === state ? criterionLines({...score, id: name}, width) : [],
		),
	);
	return {
		...textPage(
			pageTitle('readiness', {item: cleanLine(id, 100)}),
			[[span(text.failsIn(failing, evaluated), 'dim')], []],
			lines,
		),
		data: () => ({
			name: 'readiness-criterion',
			selection: {view: 'readiness', criterion: id},
			tables: [criteriaTable([{id, scores, failing, evaluated}], repositories)],
		}),
	};
}
