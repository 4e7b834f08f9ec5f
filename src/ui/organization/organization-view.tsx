import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import type {Loaded, OrganizationPart} from '../../state/organization.ts';
import {type OrganizationReading, pageKey} from '../../state/organization-reading.ts';
import type {View} from '../../state/view.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import {bodyOf, type Layout} from '../layout.ts';
import {hasBackgrounds} from '../theme/theme.ts';
import {useDisplay} from '../theme/use-theme.ts';
import {useApp} from '../use-app.ts';
import {type OrganizationPage, organizationPages} from './organization-pages.ts';
import {OrganizationPane} from './organization-pane.tsx';
import type {Page} from './page.ts';
import {ageText, joinedLines, stateLines} from './page-state.ts';
import {strings} from './strings.ts';

/** Parts read per range of days; the others don't depend on it. */
const ranged: ReadonlySet<OrganizationPart> = new Set(['usage', 'people']);

/** Reads a part of the organization while it is on screen, and again when the user refreshes. */
export function useReading(part: OrganizationPart | undefined, {range, asked}: OrganizationReading): void {
	const {actions} = useApp();
	const before = useRef(asked);
	const choice = part && ranged.has(part) ? range : 'all';
	useEffect(() => {
		const isAsked = before.current !== asked;
		before.current = asked;
		return part && actions.organization.read(part, choice, isAsked);
	}, [actions.organization, part, choice, asked]);
}

/** Cache size: several screens of rows. A row with a 90-day heat map takes a few kilobytes. */
const maxCachedRows = 400;

/** Caches a page's rows, so moving the cursor draws only rows that come into view. */
export function cacheRows(page: Page): Page {
	const rows = new Map<number, Line>();
	return {
		...page,
		row(index) {
			const cached = rows.get(index);
			if (cached) return cached;
			if (rows.size >= maxCachedRows) rows.clear();
			const line = page.row(index);
			rows.set(index, line);
			return line;
		},
	};
}

type Props = {readonly layout: Layout; readonly view: View; readonly name: OrganizationPage};

/** One of the organization's views. Reads its data only while it is on screen. */
export function OrganizationView({layout, view, name}: Props) {
	const {stores, keys, profile} = useApp();
	const {organization: reading} = view;
	const [part, joined] = partsOf(name, reading);
	useReading(part, reading);
	useReading(joined, reading);

	const organization = useStore(stores.organization);
	const rect = bodyOf(layout);
	const display = useDisplay();
	const {isAscii, isScreenReader} = display;
	const hasHalfCells = !isAscii && hasBackgrounds(display);
	const size = {
		width: rect.width - 4,
		height: rect.height - 2,
		isAscii,
		hasHalfCells,
		isScreenReader,
		creditPrice: profile.creditPrice,
	};
	const loaded = organization[part];
	const now = useNow(at => (loaded.readAt === undefined ? undefined : ageChangesAt(loaded.readAt, at)));
	const {cursors, ...content} = reading;
	const minute = Math.floor(now / 60_000);
	// Moving the cursor doesn't change the page, so don't rebuild its charts and sorting.
	const pageInputs = JSON.stringify([name, size, minute, content]);
	const data = [loaded.data, joined && organization[joined].data];
	const built = useRef<{inputs: string; data: readonly unknown[]; page: Page | undefined}>(undefined);
	if (built.current?.inputs !== pageInputs || built.current.data.some((one, index) => one !== data[index])) {
		const page = organizationPages[name](organization, reading, size, minute * 60_000, keys.label);
		built.current = {inputs: pageInputs, data, page: page && cacheRows(page)};
	}
	const {page} = built.current;
	const key = keys.label('read-again');
	const state = [
		...stateLines(loaded, now, size.width, key),
		...(joined && loaded.data
			? joinedLines(organization[joined], strings.state.joinedNames[joined], size.width, key)
			: []),
	];
	return (
		<OrganizationPane
			rect={rect}
			page={
				page
					? withNotes(page, [loaded, ...(joined ? [organization[joined]] : [])])
					: {title: [span(strings.views[name], 'heading')], head: [], count: 0, row: () => []}
			}
			state={state.length > 0 && page ? [...state, []] : state}
			right={ageText(loaded, now)}
			cursor={cursors[pageKey(name, reading)]}
		/>
	);
}

/** Adds notes to the page's exports on what couldn't be read, as on screen. */
function withNotes(page: Page, parts: readonly Loaded<unknown>[]): Page {
	const {data} = page;
	const notes = parts.flatMap(({data: read, note, problem}) => {
		const say = read === undefined ? strings.state.notRead : strings.state.notUpToDate;
		return [...(note ? [note] : []), ...(problem ? [say(problem.what)] : [])];
	});
	return data && notes.length > 0 ? {...page, data: () => ({...data(), notes})} : page;
}

/** The part a page shows, and the part joined with it, which may arrive later or never. */
function partsOf(
	name: OrganizationPage,
	{tab}: OrganizationReading,
): readonly [OrganizationPart, ('users' | 'people')?] {
	if (name === 'users') return ['users', 'people'];
	return name === 'usage' && tab === 'people' ? ['people', 'users'] : [name];
}
