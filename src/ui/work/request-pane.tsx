import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {optionLines, requestLines} from '../dialogs/answer/request-lines.ts';
import {Pane} from '../kit/pane.tsx';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {openSession} from '../open-session.ts';
import {streamTitle} from '../stream/stream-title.ts';
import {strings as streamStrings} from '../stream/strings.ts';
import {strings} from '../strings.ts';
import {useApp} from '../use-app.ts';

type Props = {readonly item: SessionItem; readonly request: HookRequest; readonly rect: Rect};

/** What the session at the cursor of the lists asks through its hook: the command or the change, as far as it fits. */
export function RequestPane({item, request, rect}: Props) {
	const parts = useApp();
	const {keys} = parts;
	const now = useNow(at => (item.since === undefined ? undefined : ageChangesAt(item.since, at)));
	useZone({rect, order: zoneOrder.pane, press: () => openSession(parts, item.id, 'main')});
	const width = Math.max(8, rect.width - 6);
	// The keys of the answers work in the dialog only.
	const lines = requestLines(request, width, keys).slice(
		0,
		-optionLines(request, width, keys).length || undefined,
	);
	const {kind, tool} = request;
	const heading =
		kind === 'question' || !tool
			? []
			: [[span(streamStrings.phase.permission(cleanLine(tool, 40)), 'warn')], []];
	const room = rect.height - 3 - heading.length;
	const isCut = lines.length > room;
	const shown = isCut ? lines.slice(0, room - 1) : lines;
	const more = isCut ? [[span(strings.moreOfRequest(lines.length - shown.length), 'warn')]] : [];
	return (
		<Pane
			rect={rect}
			title={streamTitle(item, {now, isFocused: false, width: rect.width - 4})}
			bottom={strings.answersRequest(keys.label('answer-request'))}
			body={[[], ...heading, ...shown, ...more].map(line => ({line: [span(safe` `), ...line]}))}
		/>
	);
}
