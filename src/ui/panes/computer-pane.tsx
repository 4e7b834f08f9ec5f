import {useStore} from 'zustand';
import type {ComputerItem} from '../../state/lists.ts';
import {sessionsOn} from '../../state/session-counts.ts';
import type {SessionItem} from '../../state/session-items.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd} from '../../text/cut.ts';
import {type Line, lineWidth, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {age} from '../../text/times.ts';
import {textWidth} from '../../text/width.ts';
import {firstFitting} from '../kit/first-fitting.ts';
import {Pane} from '../kit/pane.tsx';
import {progressOf} from '../kit/progress-of.ts';
import {ageChangesAt, secondAfter} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {useZone} from '../mouse/use-zone.ts';
import {zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';
import {computerDetailLines} from './computer-detail.ts';
import {computerLook} from './computer-state.ts';
import {isMoving} from './computers-pane.tsx';
import {useInstallOutput} from './use-install-output.ts';

/** Minimum columns of the name in the title. */
const nameMin = 8;

type Props = {
	readonly item: ComputerItem;
	/** All known sessions, on any computer. */
	readonly sessions: readonly SessionItem[];
	readonly rect: Rect;
	readonly isFocused: boolean;
	readonly top: number;
	/** Called on a click, and on a scroll by `rows`. */
	readonly onPress: () => void;
	readonly onWheel: (rows: number) => void;
};

/** One computer in the main area, with its steps as they run. */
export function ComputerPane({item, sessions, rect, isFocused, top, onPress, onWheel}: Props) {
	const parts = useApp();
	const problem = useStore(parts.stores.fleet, fleet => fleet.problems.get(item.id));
	const {fetchedAt} = item.known;
	const now = useNow(at => {
		if (isMoving(item)) return secondAfter(at);
		return fetchedAt === undefined ? undefined : ageChangesAt(fetchedAt, at);
	});
	const progress = progressOf(parts, item, now);
	const look = computerLook(item);
	const output = useInstallOutput(item);
	const lines = computerDetailLines(
		{
			item,
			progress,
			now,
			output,
			keys: parts.keys,
			...sessionsOn(sessions, item.id),
			...(problem && {problem}),
		},
		rect.width - 6,
	);
	const height = rect.height - 2;
	parts.sizes.detail = {rows: lines.length, height};
	useZone({rect, order: zoneOrder.pane, press: onPress, wheel: onWheel});
	const first = Math.max(0, Math.min(top, lines.length - height));
	const below = lines.length - first - height;
	const name = cleanLine(item.name, 80);
	const state: Line = [span(safe` · `, 'dim'), span(look.word, look.tone)];
	const read: Line = fetchedAt === undefined ? [] : [span(safe`, read ${age(now - fetchedAt)} ago`, 'dim')];
	const room = rect.width - 6 - textWidth(name);
	// The facts below repeat the age and the name.
	const rest = firstFitting([[...state, ...read], state], room);
	const title = cutEnd(name, Math.max(nameMin, rect.width - 6 - lineWidth(rest)));
	return (
		<Pane
			rect={rect}
			title={[span(title, isFocused ? 'heading' : 'strong'), ...rest]}
			{...(below > 0 && {bottom: [span(safe`${below} more ↓`, 'dim')]})}
			isFocused={isFocused}
			body={lines.slice(first, first + height).map(line => ({line: [span(safe`  `), ...line]}))}
		/>
	);
}
