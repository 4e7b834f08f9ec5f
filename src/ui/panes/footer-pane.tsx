import {useStore} from 'zustand';
import type {KeyContext, KeyFacts} from '../../keys/facts.ts';
import {hintsOf} from '../../keys/hints.ts';
import {filterOf, type View} from '../../state/view.ts';
import {cleanLine} from '../../text/clean.ts';
import {padLine, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {Rows} from '../kit/rows.tsx';
import type {Rect} from '../layout.ts';
import {paint} from '../theme.ts';
import {useApp} from '../use-app.ts';
import {useNow} from '../use-now.ts';
import {useTheme} from '../use-theme.ts';
import {footerLine} from './footer-line.ts';

/** How long a notice stays, ms: long enough to read it once. What went wrong stays twice as long. */
const shownFor = {info: 4000, good: 4000, bad: 9000} as const;
const lastingFor = 60_000;

type Props = {
	readonly rect: Rect;
	readonly view: View;
	readonly contexts: readonly KeyContext[];
	readonly facts: KeyFacts;
	readonly hidden: number;
};

/** The keys of the focused pane, and the newest notice; the filter while it is typed. */
export function FooterPane({rect, view, contexts, facts, hidden}: Props) {
	const {stores, keys} = useApp();
	const theme = useTheme();
	const newest = useStore(stores.notices, ({list}) => list.at(-1));
	const until =
		newest === undefined ? 0 : newest.at + (newest.isLasting ? lastingFor : shownFor[newest.tone]);
	const now = useNow(at => (until > at ? until : undefined));
	const notice = newest !== undefined && now < until ? newest : undefined;
	if (view.isFiltering) {
		const line = [
			span(safe` / `, 'accent'),
			span(cleanLine(filterOf(view), 200)),
			span(safe`▏`, 'accent'),
			span(view.page === 'work' ? safe`   ${hidden} hidden` : safe``, 'dim'),
			span(safe`   ${keys.label('keep-filter')} keeps, ${keys.label('clear-filter')} clears`, 'dim'),
		];
		return <Rows rect={rect} rows={[paint(padLine(line, rect.width), theme)]} />;
	}
	return (
		<Rows rect={rect} rows={[paint(footerLine(hintsOf(keys, contexts, facts), notice, rect.width), theme)]} />
	);
}
