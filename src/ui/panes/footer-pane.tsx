import {memo, useCallback, useEffect, useSyncExternalStore} from 'react';
import {useStore} from 'zustand';
import type {FilterProblem} from '../../domain/list-filter/filter.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {endOf, type Notice, withdrawNotice} from '../../state/notices.ts';
import type {View} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {textWidth} from '../../text/cells/width.ts';
import {filterLine, filterMark} from '../filter/filter-line.ts';
import type {Hint} from '../keys/hints.ts';
import {Rows} from '../kit/pane.tsx';
import {useNow} from '../kit/use-now.ts';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Rect} from '../layout.ts';
import {pressKey} from '../mouse/press-key.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {paint} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {useApp} from '../use-app.ts';
import {footerLine, hintAt} from './footer-line.ts';

type Props = {
	readonly rect: Rect;
	readonly dialogs: View['dialogs'];
	/** The filter while it is being typed. */
	readonly typedFilter: string | undefined;
	readonly hints: readonly Hint[];
	/** Numbers of rows that the filter hides, if they are shown. */
	readonly hidden: Lists['hidden'] | undefined;
	readonly problems: readonly FilterProblem[];
};

/** The focused pane's key hints and the newest notice; the filter while it is being typed. */
export const FooterPane = memo((props: Props) => {
	const {rect, dialogs, typedFilter, hints, hidden, problems} = props;
	const parts = useApp();
	const {stores, keys} = parts;
	const theme = useTheme();
	const newest = useStore(stores.notices, ({list}) => list.at(-1));
	const until = newest === undefined ? 0 : endOf(newest);
	const now = useNow(at => (until > at ? until : undefined));
	// A form or dialog shows its own problem in full.
	const formProblem = useStore(parts.forms, ({form}) => form?.problem);
	const dialog = dialogs.at(-1);
	const ownProblem = dialog?.kind === 'new-session' ? dialog.problem : formProblem;
	const isRepeated = newest?.text === ownProblem;
	const isOver = !useIsCurrent(newest) || isRepeated || now >= until;
	const notice = isOver ? undefined : newest;
	useEffect(() => {
		if (newest && isOver) withdrawNotice(stores.notices, newest.id, now);
	}, [stores.notices, newest, isOver, now]);
	const whole = keys.label('view-events');
	const typed = textWidth(filterMark) + textWidth(cleanLine(typedFilter ?? ''));
	useScreenCursor(
		typedFilter !== undefined && dialogs.length === 0
			? {x: rect.x + Math.min(typed, rect.width - 1), y: rect.y}
			: undefined,
	);
	useZone({
		rect,
		order: zoneOrder.footer,
		press({x}) {
			const hint = typedFilter === undefined && hintAt(hints, notice, rect.width, whole, x);
			if (hint) pressKey(parts, hint.key);
		},
	});
	if (typedFilter !== undefined) {
		const line = filterLine(typedFilter, problems, hidden, rect.width, {
			keep: keys.label('keep-filter'),
			clear: keys.label('clear-filter'),
		});
		return <Rows rect={rect} rows={[paint(line, theme)]} />;
	}
	return <Rows rect={rect} rows={[paint(footerLine(hints, notice, rect.width, whole), theme)]} />;
});

/** Whether the cause of a notice is still there, by anything that the screen shows. */
function useIsCurrent(notice: Notice | undefined): boolean {
	const {stores, view, composers} = useApp();
	const subscribe = useCallback(
		(listener: () => void) => {
			if (!notice?.isCurrent) return () => undefined;
			const {fleet, connection, outbox, streams, events, attention} = stores;
			const all = [fleet, connection, outbox, streams, events, attention, view, composers];
			const stops = all.map(store => store.subscribe(listener));
			return () => {
				for (const stop of stops) stop();
			};
		},
		[notice, stores, view, composers],
	);
	return useSyncExternalStore(subscribe, () => notice?.isCurrent?.() ?? true);
}
