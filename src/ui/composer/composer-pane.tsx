import {useStore} from 'zustand';
import {attachmentLimit} from '../../domain/messages/attachment.ts';
import {isOpen} from '../../state/view/completion.ts';
import {isOnComputer} from '../../state/view/cursor.ts';
import {setView, tableMessage} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {editorView} from '../../text/editor/editor-layout.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {Pane, type Row} from '../kit/pane.tsx';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Rect} from '../layout.ts';
import {composerColumns} from '../layout-now.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {prepareComposer} from '../open-session.ts';
import {useApp} from '../use-app.ts';
import {attachmentChips, attachmentsOf} from './composer-attachments.ts';
import {edit} from './composer-edit.ts';
import {composerOf} from './composers.ts';
import {strings} from './strings.ts';
import {SuggestionsPane} from './suggestions-pane.tsx';

const emptyComposer = composerOf(undefined, []);
/** Column of the text: after the border, a space, the prompt and another space. */
const textStart = 4;

type Props = {
	readonly sessionId: string;
	/** The sessions that get the message, if it isn't for that one. */
	readonly recipients?: readonly string[];
	readonly rect: Rect;
	/** Keys go to it: there is no dialog over it. */
	readonly isFocused: boolean;
	/** Defaults to `Message`. */
	readonly title?: Safe;
};

/** The text being written, with the terminal's own cursor, and the attachments above it. */
export function ComposerPane({
	sessionId,
	recipients = [sessionId],
	rect,
	isFocused,
	title = safe`Message`,
}: Props) {
	const parts = useApp();
	const {composers, stores, keys, view: views} = parts;
	const composer = useStore(composers, ({bySession}) => bySession.get(sessionId) ?? emptyComposer);
	const completion = useStore(views, view => view.completion);
	const queued = useStore(
		stores.outbox,
		({bySession}) => (bySession.get(sessionId) ?? []).filter(({state}) => state === 'queued').length,
	);
	/** The machine that the message waits for, if it can't be reached. */
	const lostName = useStore(stores.fleet, ({sessions, computers}) => {
		const {session, computerId} = sessions.get(sessionId) ?? {};
		const {computer} = computers.get(session?.computerId ?? computerId ?? '') ?? {};
		return computer?.unreachableSince === undefined ? undefined : (computer.name ?? computer.id);
	});
	const isShell = useStore(stores.fleet, ({sessions}) =>
		recipients.every(id => sessions.get(id)?.session?.agent === 'shell'),
	);
	const isAsking = useStore(stores.fleet, ({sessions}) =>
		recipients.some(id => sessions.get(id)?.activity?.evidence === 'request'),
	);
	const isInLists = useStore(views, now => now.focus === 'lists' && !tableMessage(now));
	const cursorId = useStore(views, ({cursor}) =>
		cursor === undefined || cursor.group !== undefined || isOnComputer(cursor) ? undefined : cursor.id,
	);
	const writes = safe`${keys.label('reply')} or ${keys.label('compose')} writes`;
	const opens = keys.label('open');
	const inLists =
		cursorId === sessionId
			? safe`${keys.label('reply')} writes, ${opens} opens it`
			: cursorId === undefined
				? safe`${keys.label('next-pane')} leads here`
				: safe`${opens} opens it, then ${writes}`;
	const unfocusedHint = isInLists ? inLists : writes;
	const toAgent = isShell ? strings.shellHint : strings.hint;
	const focusedHint = isAsking
		? safe`A message, not an answer: ${keys.label('leave')}, then ${keys.label('answer-request')} answers the request`
		: toAgent;
	const columns = composerColumns(rect.width);
	const inner = rect.height - 2;
	const attached = attachmentsOf(composer);
	const chips: Row[] =
		attached.length > 0 && inner > 1
			? [{line: [span(safe`   `), ...attachmentChips(attached, rect.width - 5)]}]
			: [];
	const view = editorView(composer.editor, columns, inner - chips.length);
	useScreenCursor(
		isFocused
			? {x: rect.x + textStart + view.cursor.x, y: rect.y + 1 + chips.length + view.cursor.y}
			: undefined,
	);
	useZone({
		rect,
		order: zoneOrder.pane,
		press({x, y}) {
			prepareComposer(parts, sessionId);
			if (!tableMessage(parts.view.getState()))
				setView(views, now => ({
					...now,
					focus: 'composer',
					replyTo: now.replyTo === sessionId ? sessionId : undefined,
				}));
			const row = y - 1 - chips.length + view.hidden.above;
			edit(parts, sessionId, {type: 'point', row, column: x - textStart, width: columns});
		},
	});
	const isEmpty = composer.editor.text === '';
	const text: Row[] = view.lines.map((line, index) => ({
		line: [
			span(safe` `),
			index === 0 && view.hidden.above === 0 ? span(safe`> `, isFocused ? 'accent' : 'dim') : span(safe`  `),
			...(isEmpty ? [span(isFocused ? focusedHint : unfocusedHint, 'dim')] : line),
		],
	}));
	// Elsewhere, the row of the message has the key.
	const queuedNote = isFocused
		? safe`◌ ${queued} queued, ${keys.label('take-back')} takes back`
		: safe`◌ ${queued} queued`;
	// What is queued shows that messages wait.
	const lost = queued > 0 ? safe`` : safe`: messages wait until it is back`;
	const notes = [
		...(lostName === undefined ? [] : [span(safe`${cleanLine(lostName)} is unreachable${lost}`, 'warn')]),
		...(queued > 0 ? [span(queuedNote, 'info')] : []),
		...hiddenRows(view.hidden),
	];
	return (
		<>
			<Pane
				rect={rect}
				title={[span(title, isFocused ? 'heading' : 'dim')]}
				right={attachedText(attached)}
				bottom={notes.flatMap((note, index) => (index > 0 ? [span(safe`  `), note] : [note]))}
				isFocused={isFocused}
				body={[...chips, ...text]}
			/>
			{isFocused && completion && isOpen(completion, sessionId) && (
				<SuggestionsPane completion={completion} composerRect={rect} />
			)}
		</>
	);
}

function attachedText(attached: readonly {readonly bytes: number}[]): Line {
	if (attached.length === 0) return [];
	const bytes = attached.reduce((sum, one) => sum + one.bytes, 0);
	const tone = bytes > attachmentLimit ? 'bad' : 'info';
	return [span(safe`${attached.length} attached, ${byteSize(bytes)} of ${byteSize(attachmentLimit)}`, tone)];
}

/** The numbers of rows that don't fit above and below. */
function hiddenRows({above, below}: {readonly above: number; readonly below: number}): Line {
	if (above + below === 0) return [];
	const up = above > 0 ? safe` ↑${above}` : safe``;
	const down = below > 0 ? safe` ↓${below}` : safe``;
	return [span(safe`more rows${up}${down}`, 'dim')];
}
